package main

// servers are the CDX servers whose clients varve answers.
func servers() []source {
	return []source{
		{
			name: "wayback CDX server", what: "parameter",
			about: "The reference: where the others differ from it, varve does as it does.",
			rows:  wayback(),
		},
		{
			name: "pywb", what: "parameter",
			about: "What isn't here is as in the wayback CDX server.",
			rows:  pywb(),
		},
		{
			name: "OutbackCDX", what: "parameter",
			about: "What isn't here is as in the wayback CDX server.",
			rows:  outback(),
		},
	}
}

func wayback() []row {
	return []row{
		{
			"`/cdx/search/cdx`, `/cdx/search/xd`", "the addresses that clients of the Wayback Machine ask", yes,
			"of the collection that `collection` names, else the only one, else `web`",
			[]string{"e2e.TestWaybackCDXPath", "e2e.TestGau", "e2e.TestEdgiSearch"},
		},
		{
			"`url`", "the URL whose captures are listed; with `*` in front or at its end a domain or a prefix", yes, "needed, else 400",
			[]string{
				"cdx.TestAPIRefuses//an empty url", "cdx.TestAPISelects//any spelling of it", "cdx.TestAPIMatches//prefix by wildcard",
				"cdx.TestAPIMatches//domain by wildcard",
			},
		},
		{
			"`matchType`", "`exact`, `prefix`, `host` or `domain`", yes, "others are 400",
			[]string{
				"cdx.TestAPIMatches//prefix", "cdx.TestAPIMatches//host", "cdx.TestAPIMatches//domain",
				"cdx.TestAPIRefuses//an unknown matchType",
			},
		},
		{
			"`from`, `to`", "1 to 14 digits, both ends included", yes,
			"short ones are filled up to the first and to the last second; a date that doesn't exist is the nearest one that does",
			[]string{
				"cdx.TestAPISelects//from, inclusive", "cdx.TestAPISelects//from, short", "cdx.TestAPISelects//to, inclusive",
				"cdx.TestAPISelects//to, short, means its end", "cdx.TestAPIRefuses//from that is no date", "cdx.TestAPIRefuses//to that is too long",
				"cdx.TestWhatIsAskedForIsTheNearestDate",
			},
		},
		{
			"`output`", "lines, or `json`: an array of arrays behind a row of names", yes, "`[]` where nothing is found; `text` may be said too",
			[]string{
				"cdx.TestAPIWrites//JSON is an array of arrays with a header row", "cdx.TestAPIWrites//JSON without rows",
				"cdx.TestAPIRefuses//an unknown output",
			},
		},
		{
			"errors", "a client can read what is wrong", yes,
			"400 and one sentence that says what is allowed, as JSON where the answer would be JSON",
			[]string{"cdx.TestAPIRefuses", "cdx.TestAPIRefusesInJSON"},
		},
		{
			"`fl`", "fields and their order", yes, "an unknown one is `-`; the seven usual ones without it",
			[]string{
				"cdx.TestAPIWrites//text with seven fields", "cdx.TestAPIWrites//text with other fields, by any name",
			},
		},
		{
			"`filter`", "`[!]field:regex`, repeated; the whole field must match; a field by name or place, or the whole line", yes, "at most 20",
			[]string{
				"cdx.TestAPISelects//filter matches the whole field", "cdx.TestAPISelects//filter not", "cdx.TestAPISelects//filter by place",
				"cdx.TestAPISelects//filter without a field takes the line", "cdx.TestAPISelects//several filters",
			},
		},
		{
			"`collapse`", "`field` or `field:N`: of neighbours that are alike the first; repeated", yes, "",
			[]string{
				"cdx.TestAPISelects//collapse", "cdx.TestAPISelects//collapse by year",
				"cdx.TestAPISelects//two collapses, one behind the other",
			},
		},
		{
			"`limit`", "the first N; negative: the last N", yes, "of several URLs at most the last 10,000",
			[]string{
				"cdx.TestAPISelects//limit", "cdx.TestAPISelects//a negative limit gives the last, ascending", "cdx.TestAPILastRowsAreTheSameEitherWay",
				"cdx.TestAPIRefuses//too negative a limit over many URLs",
			},
		},
		{"`offset`", "rows that are passed over", yes, "", []string{"cdx.TestAPISelects//offset", "cdx.TestAPIRefuses//a negative offset"}},
		{
			"`sort`", "`reverse`, `closest`, or as indexed", yes, "",
			[]string{
				"cdx.TestAPISelects//reverse", "cdx.TestAPISelects//closest with sort=closest",
				"cdx.TestAPIRefuses//sort=closest without closest",
			},
		},
		{
			"`closest`", "nearest first", yes, "of one URL; by distance alone, the earlier of two equally far",
			[]string{
				"cdx.TestAPISelects//closest", "cdx.TestAPISelects//closest, the earlier of two equally far",
				"cdx.TestAPIRefuses//closest over many URLs",
			},
		},
		{
			"`page`, `pageSize`", "the index in pages", partly,
			"a page is so many captures, not blocks of an index, and one behind the last is 400: clients that ask for one after another stop there",
			[]string{
				"cdx.TestAPISelects//the last page", "cdx.TestAPISelects//a negative page is no page",
				"cdx.TestAPIRefuses//a page behind the last", "e2e.TestPageAfterPage",
			},
		},
		{
			"`showNumPages`", "a plain integer", yes, "",
			[]string{"cdx.TestAPIWrites//the number of pages is a plain integer"},
		},
		{
			"`showPagedIndex`", "the lines of the secondary index", no, "the index has no such lines; the parameter is ignored",
			[]string{"cdx.TestAPISelects//an unknown parameter"},
		},
		{
			"`showResumeKey`, `resumeKey`", "behind a blank row the key with which the next answer goes on", yes,
			"stays valid while captures arrive; left out beside `closest` and a negative `limit`",
			[]string{
				"cdx.TestAPIResumes", "e2e.TestWaybackpyNear", "cdx.TestAPISelects//a key that can't be given beside closest",
				"cdx.TestAPISelects//a key that can't be given beside a negative limit",
			},
		},
		{
			"`fastLatest`", "one or some of the last captures, found fast", yes, "exactly the last, or as many as a negative `limit` asks",
			[]string{"cdx.TestAPISelects//fastLatest", "cdx.TestAPISelects//fastLatest with a limit", "e2e.TestWaybackpyNear"},
		},
		{
			"`resolveRevisits`", "a revisit's mimetype is that of its original", yes,
			"in the seven fields that the Wayback Machine shows; where the original is says `fl=orig.length,orig.offset,orig.filename`",
			[]string{
				"cdx.TestAPIWrites//resolveRevisits gives a revisit the type of its original, in seven fields",
				"cdx.TestAPIWrites//where a revisit's original is, by fl", "e2e.TestEdgiSearch",
			},
		},
		{
			"`showDupeCount`", "a column `dupecount`: how many rows before have the same digest; a revisit among them gets the mimetype of its " +
				"original", yes, "",
			[]string{
				"cdx.TestAPICounts//dupes", "cdx.TestAPIWrites//dupes get the type of the original", "e2e.TestWaybackpackUniques",
			},
		},
		{
			"`showSkipCount`", "a column `skipcount`: how many rows a filter or a collapse left out behind this one", yes, "",
			[]string{"cdx.TestAPICounts//skipped by a collapse", "cdx.TestAPICounts//skipped by a filter"},
		},
		{
			"`lastSkipTimestamp`", "a column `endtimestamp`: of the last row that was left out", yes, "",
			[]string{"cdx.TestAPICounts//the last that was skipped"},
		},
		{
			"`gzip`", "`false` turns compression off", no, "`Accept-Encoding` says what a client wants; the parameter is ignored",
			[]string{"e2e.TestCompression", "cdx.TestAPISelects//an unknown parameter"},
		},
		{
			"a cookie `cdx-auth-token`", "a key that opens private URLs and fields", no, "nothing is private; the cookie is ignored", nil,
		},
	}
}

func pywb() []row {
	return []row{
		{
			"`output`", "`cdxj` unless asked; `json`: objects, one a line; `text`; `link`", partly,
			"`text` unless asked, and `json` is an array of arrays, as the wayback CDX server has it: the objects are `ndjson`. `cdxj` and " +
				"`text` are there. `link` is refused with a sentence that names the TimeMap",
			[]string{
				"cdx.TestAPIWrites//NDJSON is pywb's objects", "cdx.TestAPIWrites//CDXJ", "cdx.TestAPIRefuses//links as output",
			},
		},
		{
			"`filter`", "`=field:value` equals, `~field:regex` matches at the start, `field:text` contains", partly,
			"the first two; without a sign it is a regular expression for the whole field, as the wayback CDX server has it",
			[]string{
				"cdx.TestAPISelects//filter equal", "cdx.TestAPISelects//filter not equal", "cdx.TestAPISelects//filter at the start",
				"cdx.TestAPISelects//filter matches the whole field",
			},
		},
		{
			"`fl`, `fields`", "`url`, `mime`, `status` for `original`, `mimetype`, `statuscode`", yes, "both sets of names, everywhere",
			[]string{
				"cdx.TestAPISelects//filter by pywb's name", "cdx.TestAPIWrites//text with a redirect",
				"cdx.TestAPIWrites//NDJSON with fields by the names asked for",
			},
		},
		{"`reverse`", "`true` is `sort=reverse`", yes, "", []string{"cdx.TestAPISelects//pywb's reverse"}},
		{
			"`collapseTime`", "one capture for the time, of so many digits, and the status", yes, "",
			[]string{"cdx.TestAPISelects//pywb's collapse by time and status", "cdx.TestAPIRefuses//a time of no digits"},
		},
		{"`closest`", "without `sort` too", yes, "", []string{"cdx.TestAPISelects//closest"}},
		{
			"`resolveRevisits`", "`orig.length`, `orig.offset`, `orig.filename`, and mimetype and status of the original", partly,
			"mimetype and status; the three are in objects, elsewhere only where `fl` names them",
			[]string{
				"cdx.TestAPIWrites//resolveRevisits in objects says where the original is",
				"cdx.TestAPIWrites//resolveRevisits gives a revisit the type of its original, in seven fields",
			},
		},
		{
			"`showPagedIndex`", "the lines of the secondary index", no, "the index has no such lines; the parameter is ignored",
			[]string{"cdx.TestAPISelects//an unknown parameter"},
		},
		{
			"`page` behind the last", "400", yes, "", []string{"cdx.TestAPIRefuses//a page behind the last"},
		},
		{
			"`showNumPages`", "an object with `blocks`, `pages` and `pageSize`", no, "a plain integer, as the wayback CDX server has it",
			[]string{"cdx.TestAPIWrites//the number of pages is a plain integer"},
		},
		{
			"`limit`", "100,000 unless asked", no, "all, streamed",
			[]string{"cdx.TestAPIStreams"},
		},
		{
			"`allowFuzzy`", "`false` leaves out captures of similar addresses", no, "there are none: the CDX API lists what was asked for. " +
				"Replay finds similar addresses itself. The parameter is ignored",
			[]string{"cdx.TestAPISelects//an unknown parameter"},
		},
		{"`/collinfo.json`", "the collections", yes, "", []string{"e2e.TestCollectionInfo"}},
	}
}

func outback() []row {
	return []row{
		{
			"`matchType`", "`range` too: from a key on", no, "refused with a sentence that names what there is",
			[]string{"cdx.TestAPIRefuses//a match of a range"},
		},
		{
			"`output`", "`json`: arrays, without a row of names; `jsondict`: an array of objects; anything else: lines", partly,
			"lines are `text`, and `json` has a row of names and strings alone, as the wayback CDX server has it. `jsondict` is refused with a " +
				"sentence that names `ndjson`, and so is what isn't known",
			[]string{
				"cdx.TestAPIWrites//JSON is an array of arrays with a header row", "cdx.TestAPIWrites//CDXJ",
				"cdx.TestAPIRefuses//OutbackCDX's dictionaries", "cdx.TestAPIRefuses//an unknown output",
			},
		},
		{
			"`fl`", "eleven fields unless asked, `redirecturl` among them; `originalLength`, `originalOffset`, `originalFilename`", partly,
			"all eleven where asked for, by these names; seven without it. What is known of an original is `orig.length` and so on",
			[]string{"cdx.TestAPIWrites//text with a redirect, by OutbackCDX's name"},
		},
		{
			"`filter`", "`~field:text` contains, `field:regex` matches", partly,
			"a regular expression must match the whole field, as the wayback CDX server has it, and `~` is pywb's",
			[]string{"cdx.TestAPISelects//filter matches the whole field", "cdx.TestAPISelects//filter at the start"},
		},
		{
			"`collapseToFirst`", "another name of `collapse`", yes, "", []string{"cdx.TestAPISelects//OutbackCDX's collapse"},
		},
		{
			"`collapseToLast`", "of neighbours that are alike the last", yes, "",
			[]string{"cdx.TestAPISelects//OutbackCDX's collapse to the last", "cdx.TestAPISelects//a collapse to the last, and limit"},
		},
		{
			"`omitSelfRedirects`", "leaves out redirects to another spelling of the same address", yes, "",
			[]string{"cdx.TestAPIOmitsSelfRedirects"},
		},
		{
			"`closest=` left empty beside `sort=closest`", "is read as neither", yes, "", []string{"cdx.TestAPISelects//closest left empty"},
		},
		{
			"`from`, `to`", "for one URL, and not beside `closest`", yes, "for any match, and beside `closest` too",
			[]string{"cdx.TestAPISelects//closest between from and to"},
		},
		{
			"`q=type:urlquery url:…`", "OpenWayback's own queries, answered in XML", no, "`url` is needed",
			[]string{"cdx.TestAPIRefuses//nothing"},
		},
		{
			"`urlkey`", "the key in place of `url`", no, "`url` is needed", []string{"cdx.TestAPIRefuses//nothing"},
		},
		{
			"`method`, `requestBody`", "the captures of a POST", no,
			"ignored. A POST is asked for by what they stand for, `__wb_method=POST&…` at the end of `url`",
			[]string{"cdx.TestAPIMatches//a POST by its own query"},
		},
		{
			"`accesspoint`", "access rules are put to use", no, "there are no access rules; the parameter is ignored",
			[]string{"cdx.TestAPISelects//an unknown parameter"},
		},
	}
}
