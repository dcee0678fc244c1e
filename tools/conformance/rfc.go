package main

// standards are the RFCs that varve follows. Clause numbers are those of the texts at rfc-editor.org.
func standards() []source {
	return []source{
		{
			name: "RFC 7089", what: "clause",
			about: "HTTP Framework for Time-Based Access to Resource States – Memento. varve is pattern 2.1 in its collections (URI-R, URI-G and " +
				"URI-M are three resources, led to by 302) and pattern 1.2 in its proxy.",
			rows: memento(),
		},
		{
			name: "RFC 5829", what: "clause",
			about: "Link Relation Types for Simple Version Navigation between Web Resources. A version is a validity range: the captures that " +
				"say the same.",
			rows: []row{
				{
					"§3.1", "`version-history`: a resource that lists all versions", no,
					"the TimeMap lists them, under the relation `timemap`", nil,
				},
				{"§3.2", "`latest-version`", no, "the newest capture is the link `last memento`", nil},
				{"§3.3", "`working-copy`", no, "what is archived isn't worked on", nil},
				{"§3.4", "`working-copy-of`", no, "what is archived isn't worked on", nil},
				{
					"§3.5", "`predecessor-version`: the version before", yes, "the last capture of the previous range",
					[]string{"memento.TestMementoLinks//versions beside captures", "e2e.TestMementoHeaders"},
				},
				{
					"§3.6", "`successor-version`: the version after", yes, "the first capture of the next range",
					[]string{"memento.TestMementoLinks//versions beside captures", "e2e.TestMementoHeaders"},
				},
			},
		},
		{
			name: "RFC 8288", what: "clause",
			about: "Web Linking: `Link` headers and TimeMaps, written, and read where an archive meets another's.",
			rows: []row{
				{
					"§2.1.1", "registered relation types are compared without regard to case", yes, "",
					[]string{"memento.TestParseLinks//attributes in any case"},
				},
				{"§2.1.2", "a relation type may be a URI", yes, "it keeps its case", nil},
				{
					"§3", "the `Link` header: link-values parted by commas, with attributes", yes,
					"what occurs in the wild is read too: missing commas, unquoted datetimes",
					[]string{"memento.TestParseLinksSaysWhereALinkIsBroken"},
				},
				{"§3.1", "link targets may be relative", partly, "varve writes whole URIs; a relative one that is read is kept as it is", nil},
				{"§3.2", "`anchor` gives a link another context", no, "varve writes none; one that is read is kept among the attributes", nil},
				{"§3.3", "of several `rel` attributes the first counts", yes, "", nil},
				{
					"§3.4.1", "target attributes, among them extended ones (`title*`)", partly, "an extended value is kept as it is, not decoded",
					nil,
				},
				{"§3.4.2", "extension attributes, such as Memento's `datetime`, `from` and `until`", yes, "what isn't known is kept", nil},
			},
		},
	}
}

func memento() []row {
	return []row{
		{
			"§2.1.1", "`Accept-Datetime` and `Memento-Datetime` hold an rfc1123-date in GMT", yes,
			"deviations that can't be misread are understood: another weekday, UTC for GMT",
			[]string{"memento.TestFormatDatetimeAgreesWithTheStandardLibrary", "e2e.TestMementoHeaders"},
		},
		{"§2.1.2", "`Vary` of a TimeGate has `accept-datetime`", yes, "", nil},
		{"§2.1.3", "`Link` names the resources around", yes, "", []string{"e2e.TestMementoHeaders", "e2e.TestTimeGate"}},
		{
			"§2.2", "the relation types of Memento", yes, "each once; relations with one target share a link",
			[]string{"memento.TestLinksOfTheRFC"},
		},
		{
			"§2.2.1", "`original`: the URI-R", yes, "where nothing is archived too",
			[]string{"memento.TestOriginalLink", "e2e.TestTimeGateWithoutCapture"},
		},
		{"§2.2.2", "`timegate`: the URI-G", yes, "", []string{"memento.TestMementoLinks", "e2e.TestMementoHeaders"}},
		{
			"§2.2.3", "`timemap`: the URI-T, with `type`, `from` and `until`", yes, "",
			[]string{"memento.TestMementoLinks", "e2e.TestMementoHeaders"},
		},
		{"§2.2.4", "`memento`: a URI-M, with its `datetime`", yes, "", []string{"memento.TestTimeGateLinks"}},
		{
			"§4.1.1", "pattern 1.1: the URI-R is its own TimeGate and leads to a URI-M by 302", no,
			"the proxy, where URI-R and URI-G are one, answers with 200 (§4.1.2)", nil,
		},
		{
			"§4.1.2", "pattern 1.2: the URI-R is its own TimeGate and answers with 200, `Content-Location` and the memento's headers", yes,
			"the proxy; `original timegate` is one link", nil,
		},
		{
			"§4.1.3", "pattern 1.3: the same without a URI-M of its own", no, "every memento has a URI-M", nil,
		},
		{
			"§4.2.1", "pattern 2.1: a TimeGate elsewhere leads to the URI-M by 302, without `Memento-Datetime` of its own", yes,
			"without `Accept-Datetime` to the newest",
			[]string{"memento.TestExchangeOfTheRFC", "e2e.TestMemGatorReadsLinks"},
		},
		{"§4.2.2", "pattern 2.2: a TimeGate elsewhere answers with 200 and names the URI-M", no, "it redirects (§4.2.1)", nil},
		{"§4.2.3", "pattern 2.3: the same without a URI-M of its own", no, "every memento has a URI-M", nil},
		{
			"§4.3", "pattern 3: an original resource that doesn't change any more is its own memento", no,
			"is for the server of the original", nil,
		},
		{"§4.4", "pattern 4: mementos without a TimeGate", no, "every memento has one", nil},
		{
			"§4.5", "special cases", partly, "as the rows below say", nil,
		},
		{
			"§4.5.1", "the original gives no `timegate` link: a client looks for a TimeGate itself", no, "is for clients", nil,
		},
		{
			"§4.5.2", "the original is gone, its server isn't: its answer should link to a TimeGate", no,
			"is for the server of the original", nil,
		},
		{
			"§4.5.3", "a datetime before the first memento gives the first, one after the last the last; a malformed one is 400", yes,
			"", nil,
		},
		{
			"§4.5.4", "what was archived as a 3xx is a memento with that status", yes,
			"a browser is led to a landing page that says where it goes; other clients get the redirect",
			[]string{"e2e.TestStatuses", "e2e.TestRedirects", "e2e.TestTimeGate//§4.5.4 a 3xx is a memento like others"},
		},
		{
			"§4.5.5", "what was archived as a 4xx or 5xx is a memento with that status", yes,
			"of captures within a day of the datetime a TimeGate takes a good one before a 5xx; its URI-M answers all the same",
			[]string{"e2e.TestStatuses", "e2e.TestTimeGate//§4.5.5 a 404 is a memento like others", "memento.TestPreferred"},
		},
		{
			"§4.5.6", "`Memento-Datetime` and `Link: original` stick to a memento: they are the same in all its responses, and where it is mirrored",
			yes, "both come from the record, in each of its forms and from each copy of the file", nil,
		},
		{
			"§4.5.7", "what redirects between TimeGate and memento has `Link: original`, and neither `Vary: accept-datetime` nor " +
				"`Memento-Datetime`", yes, "an inexact URI-M",
			nil,
		},
		{
			"§4.5.8", "a resource that must not be negotiated says so by a link with relation `type` to `donotnegotiate`", no,
			"what varve serves of its own has no URI-R, so nothing leads a client to a TimeGate of it", nil,
		},
		{
			"§5", "a TimeMap names original, TimeGate, itself and every memento with its datetime", yes,
			"in link format, JSON and CDXJ, and as a page",
			[]string{"memento.TestTimeMaps", "memento.TestTimeMapsReadBack"},
		},
		{
			"§5.1.1", "long TimeMaps are parted, and their parts linked by `timemap`", yes, "beyond 10,000 mementos",
			[]string{"memento.TestFirstAndLastAcrossPages", "replay/engine.TestTimeMapPageReadsFromItsFirstMemento"},
		},
		{"§5.1.2", "a TimeMap may have mementos of its own", no, "a TimeMap is always that of now", nil},
	}
}
