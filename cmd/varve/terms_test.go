package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A table of terms is that of the server's.
func TestTermsOfPagesAtDatetimes(t *testing.T) {
	t.Parallel()
	file := replaytest.Write(t, []replaytest.Record{{
		Date: "20150601000000", URI: "http://mill.example/", Status: 200, Body: replaytest.Paragraphs("The mill grinds."),
	}})
	data, dir := t.TempDir(), t.TempDir()
	if code, _, stderr := varve(t, "index", "--data", data, file); code != exitDone {
		t.Fatal(stderr)
	}
	terms, urls := filepath.Join(dir, "terms"), filepath.Join(dir, "urls")
	for name, text := range map[string]string{terms: "mill\n", urls: "http://mill.example/\nhttp://gone.example/\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, stderr := varve(t, "terms", "--data", data, "--terms", terms, "--urls", urls, "--at", "2016")
	if want := "url,at,datetime,status,term,count\nhttp://mill.example/,20161231235959,20150601000000,200,mill,1\n" +
		"http://gone.example/,20161231235959,,,mill,NA\n"; code != exitDone || out != want {
		t.Errorf("%d %s\n%s", code, stderr, out)
	}
	if code, _, _ = varve(t, "terms", "--data", data, "--terms", terms, "--at", "2016"); code != exitUsage {
		t.Errorf("without addresses: exit %d", code)
	}
}

// A log of queries is joined with the words that were deleted; what can't be read is named with its file and line.
func TestTermsOfQueries(t *testing.T) {
	t.Parallel()
	at := func(date, uri, text string) replaytest.Record {
		return replaytest.Record{Date: date, URI: uri, Status: 200, Body: replaytest.Paragraphs(text)}
	}
	file := replaytest.Write(t, []replaytest.Record{
		at("20150601000000", "http://mill.example/", "The old mill grinds."), at("20170601000000", "http://mill.example/", "The museum."),
		at("20150601000000", "http://same.example/", "Nothing new."),
		{Date: "20190601000000", URI: "http://mill.example/", Status: 404, Body: "<h1>Not found</h1>"},
	})
	data, dir := t.TempDir(), t.TempDir()
	if code, _, stderr := varve(t, "index", "--data", data, file); code != exitDone {
		t.Fatal(stderr)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	log := write("log.tsv", "old mill\thttp://mill.example/\t7\nthe museum\thttps://mill.example/\t2\nnew\thttp://same.example/\t1\n"+
		"x\thttp://gone.example/\t9\n")
	const head = "url,from_datetime,from_status,to_datetime,to_status,queries,clicks,query_words,terms,deleted_terms," +
		"query_words_present,query_words_deleted,clicks_deleted,words\n"
	code, out, stderr := varve(t, "terms", "--data", data, "--queries", log, "--at", "2016", "--at", "2018")
	if want := head + "http://mill.example/,20150601000000,200,20170601000000,200,2,9,4,5,3,3,2,7,mill old\n" +
		"http://same.example/,20150601000000,200,20150601000000,200,1,1,1,3,0,1,0,0,\n" +
		"total,,,,,3,10,5,8,3,4,2,7,\n"; code != exitDone || out != want {
		t.Errorf("%d %s\n%s", code, stderr, out)
	}
	urls := write("urls", "http://gone.example/\n")
	code, out, stderr = varve(t, "terms", "--data", data, "--queries", log, "--at", "2016", "--at", "2018", "--urls", urls)
	if want := head + "http://gone.example/,,,,,1,9,1,NA,NA,NA,NA,NA,\ntotal,,,,,0,0,0,0,0,0,0,0,\n"; code != exitDone || out != want {
		t.Errorf("%d %s\n%s", code, stderr, out)
	}
	code, out, stderr = varve(t, "terms", "--data", data, "--queries", log, "--at", "2016", "--at", "2020", "--json")
	if want := `{"from":"20161231235959","to":"20201231235959","rows":[
{"url":"http://mill.example/","from_datetime":"20150601000000","from_status":200,"to_datetime":"20190601000000","to_status":404,` +
		`"queries":2,"clicks":9,"query_words":4,"terms":5,"deleted_terms":"404",` +
		`"query_words_present":3,"query_words_deleted":"404","clicks_deleted":"404",` +
		`"words":[]},
{"url":"http://same.example/","from_datetime":"20150601000000","from_status":200,"to_datetime":"20150601000000","to_status":200,` +
		`"queries":1,"clicks":1,"query_words":1,"terms":3,"deleted_terms":0,` +
		`"query_words_present":1,"query_words_deleted":0,"clicks_deleted":0,"words":[]}
],"total":{"addresses":3,"compared":1,"queries":1,"clicks":1,"query_words":1,"terms":3,"deleted_terms":0,"query_words_present":1,` +
		`"query_words_deleted":0,"clicks_deleted":0}}
`; code != exitDone || out != want {
		t.Errorf("as JSON: %d %s\n%s", code, stderr, cmp.Diff(want, out))
	}
	bad, terms := write("bad", "http://mill.example/\n\n :\n"), write("terms", "mill\n!\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--queries", write("bad.tsv", "a\tb.example\t1\nc\t\t1\n"), "--at", "2016", "--at", "2018"}, "bad.tsv: line 2: "},
		{[]string{"--queries", log, "--urls", bad, "--at", "2016", "--at", "2018"}, "bad: line 3: "},
		{[]string{"--terms", terms, "--urls", urls, "--at", "2016"}, "terms: line 2: "},
		{[]string{"--terms", urls, "--urls", bad, "--at", "2016"}, "bad: line 3: "},
		{[]string{"--terms", urls, "--urls", urls, "--at", "2016", "--at", "x"}, "--at number 2: "},
		{[]string{"--queries", log, "--at", "2018", "--at", "2016"}, "is not before"},
		{[]string{"--queries", log, "--at", "2018"}, "--at twice"},
	} {
		code, _, stderr := varve(t, append([]string{"terms", "--data", data}, c.args...)...)
		if code == exitDone || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %s; want %q", c.args, code, stderr, c.want)
		}
	}
}
