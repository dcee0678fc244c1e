package termtable

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"
)

// A log is read with 2, 3 or 4 columns, with a head or without, packed or not.
func TestReadLog(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log     string
		only    []string
		pages   string
		queries int
		clicks  int64 // of the first page
	}{
		"empty":     {"", nil, "", 0, 0},
		"two":       {"old mill\tmill.example\nmill\tmill.example\n", nil, "http://mill.example", 2, 2},
		"three":     {"mill\thttp://mill.example/\t7\n\nmill\thttps://mill.example/\t2", nil, "http://mill.example/", 2, 9},
		"with head": {"\ufeffquery\taddress\tclicks\r\nmill\thttp://mill.example/\t7\r\n", nil, "http://mill.example/", 1, 7},
		"ORCAS":     {"8\tmill\tD9\thttp://a.example/\n9\tmuseum\tD8\thttp://b.example/\n", nil, "http://a.example/ http://b.example/", 2, 1},
		"only some": {"mill\thttp://a.example/\t3\nmill\thttp://b.example/\t4\n", []string{"http://b.example/"}, "http://b.example/", 1, 4},
		"no words":  {"!\thttp://a.example/\t3\n", nil, "http://a.example/", 1, 3},
	} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write([]byte(c.log)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		for _, text := range []string{c.log, packed.String()} {
			log, err := ReadLog(t.Context(), strings.NewReader(text), c.only)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var pages []string
			var clicks int64
			for _, p := range log.pages {
				pages = append(pages, p.page)
			}
			if len(log.pages) > 0 {
				for _, q := range log.pages[0].queries {
					clicks += q.clicks
				}
			}
			if strings.Join(pages, " ") != c.pages || log.queries != c.queries || clicks != c.clicks {
				t.Errorf("%s: %q, %d queries, %d clicks", name, pages, log.queries, clicks)
			}
		}
	}
}

// A line that can't be read is named by its number and with the reason.
func TestBadLog(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]string{
		"mill\n": "line 1: want 2, 3 or 4 columns", "a\tb\tc\td\te\n": "line 1: want 2, 3 or 4 columns",
		"a\tb.example\n\na\tb.example\t1\n":            "line 3: want 2 columns",
		"a\tb.example\t1\na\t:\t1\n":                   "line 2: \":\" is no address",
		"a\tb.example\tmany\n":                         "line 1: clicks \"many\"",
		"a\tb.example\t-1\n":                           "line 1: clicks",
		"a\xff\tb.example\n":                           "line 1: the query",
		"a\tb.example\n" + strings.Repeat("a", 64<<10): "line 2: longer than",
		"\x1f\x8bnot packed":                           "gzip",
	} {
		if _, err := ReadLog(t.Context(), strings.NewReader(log), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", log, err, want)
		}
	}
	const before = "mill\thttp://b.example/"
	if _, err := ReadLog(t.Context(), strings.NewReader(before+strings.Repeat("a", 64<<10-1-len(before))+"\n"), nil); err != nil {
		t.Errorf("a line of 64 KiB: %v", err)
	}
}

// Whatever a log holds, it is read within its bounds, or a sentence says why not.
func FuzzReadLog(f *testing.F) {
	for _, log := range []string{
		"mill\thttp://mill.example/\t7\n", "8\tmill\tD9\thttp://a.example/\n", "query\turl\n", "\x1f\x8b\x08", "a\t\t\t\n", "\xff\t\xfe",
	} {
		f.Add([]byte(log))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		log, err := ReadLog(t.Context(), bytes.NewReader(b), nil)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a sentence")
			}
			return
		}
		queries := 0
		for _, p := range log.pages {
			queries += len(p.queries)
			for _, q := range p.queries {
				if !slices.IsSorted(q.words) || q.clicks < 0 {
					t.Errorf("%+v", q)
				}
			}
		}
		if queries != log.queries {
			t.Errorf("%d queries of %d", queries, log.queries)
		}
	})
}
