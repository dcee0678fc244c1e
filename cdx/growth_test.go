package cdx

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/growth"
)

// A filter reads each line in time that grows no faster than the line, whatever its regular expression.
func TestFiltersGrowWithTheLines(t *testing.T) {
	for name, expr := range map[string]string{
		"repeated repetitions": `(a+)+$`, "alternatives of the same": `(a|a|aa)*b`, "anything, often": `.*.*.*.*.*x`,
		"counted": `(a{1,30}){1,30}b`, "nested": strings.Repeat("(", 40) + "a" + strings.Repeat(")*", 40), "optional": strings.Repeat("a?", 90) +
			strings.Repeat("a", 90), "a class": `[^b]*b`, "words": `(\w+\s*)*z`, "the longest": strings.Repeat("a", maxFilter-1) + "*",
	} {
		for _, not := range []string{"", "!", "~"} {
			f, err := parseFilter(not + "original:" + expr)
			if err != nil {
				t.Fatal(err)
			}
			growth.Linear(t, not+name, func(n int) *Capture { return &Capture{URL: "http://a.example/" + strings.Repeat("a", n)} },
				func(c *Capture) { f.keeps(&row{Capture: c}, nil) })
		}
	}
}

// A query is read in time that grows no faster than it, whatever it has more of.
func TestQueriesGrowWithTheirParameters(t *testing.T) {
	for name, unit := range map[string]string{
		"filters": "filter=original:a.b&", "fields": "fl=original&", "plus signs": "+", "escapes": "%2F",
		"ampersands": "&", "a URL": "url=a.example/b&",
		"collapses": "collapse=timestamp:4&", "commas": ",", "repetitions": "filter=original:(a*)*&",
	} {
		growth.Linear(t, name, func(n int) string { return "url=a.example&fl=" + strings.Repeat(unit, n) }, func(q string) {
			_, _ = ParseQuery(q)
		})
	}
}

// memoryIndex is an index file in memory.
type memoryIndex struct{ *strings.Reader }

func (memoryIndex) Close() error { return nil }

// An index is read in time that grows no faster than its files, whatever they have more of.
func TestIndexesGrowWithTheirFiles(t *testing.T) {
	line := "org,example)/ 20140101000000 {\"url\": \"http://example.org/\", \"offset\": \"1\", \"filename\": \"a.warc.gz\"}\n"
	packed := pack(line)
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, len(packed))
		}
		return b.String()
	}
	for name, of := range map[string]func(n int) map[string]string{
		"lines":     func(n int) map[string]string { return map[string]string{"a.cdxj": strings.Repeat(line, n)} },
		"bad lines": func(n int) map[string]string { return map[string]string{"a.cdxj": strings.Repeat("x\n", n)} },
		"one long line": func(n int) map[string]string {
			return map[string]string{"a.cdx": " CDX N b a\n" + strings.Repeat("x", n)}
		},
		"columns": func(n int) map[string]string {
			return map[string]string{"a.cdx": " CDX" + strings.Repeat(" N", n) + "\n" + strings.Repeat("x ", n)}
		},
		"nesting": func(n int) map[string]string {
			return map[string]string{"a.cdxj": "org,example)/ 20140101000000 " + strings.Repeat("{\"a\":", n)}
		},
		"members": func(n int) map[string]string { return map[string]string{"a.cdx.gz": strings.Repeat(packed, n)} },
		"blocks": func(n int) map[string]string {
			return map[string]string{"a.idx": numbered(n, "k %d\tpart\t0\t%d\t1\n"), "part.gz": packed}
		},
		"parts in one place": func(n int) map[string]string {
			return map[string]string{
				"a.idx": numbered(n, "k 1\tpart%d\t0\t%d\t1\n"), "a.loc": numbered(n, "part%d\twhole.gz\t%d\n"), "whole.gz": packed,
			}
		},
		"missing parts": func(n int) map[string]string {
			return map[string]string{"a.idx": numbered(n, "k 1\tpart%d\t0\t%d\t1\n"), "a.loc": numbered(n, "other%d\tnowhere.gz\t%d\n")}
		},
		"the same missing part": func(n int) map[string]string {
			return map[string]string{"a.idx": numbered(n, "k %d\tpart\t0\t%d\t1\n"), "a.loc": numbered(n, "other%d\tnowhere.gz\t%d\n")}
		},
		"places of one part": func(n int) map[string]string {
			return map[string]string{"a.idx": numbered(n, "k %d\tpart\t0\t%d\t1\n"), "a.loc": "part" + strings.Repeat("\tnowhere.gz", n) + "\n"}
		},
		"names of the file": func(n int) map[string]string {
			return map[string]string{"a.idx": strings.Repeat("!meta 0 {\"filename\": \"part\"}\n", n), "part.gz": packed}
		},
	} {
		growth.Linear(t, name, of, func(files map[string]string) {
			for first := range files {
				if !strings.HasPrefix(first, "a.") || strings.HasSuffix(first, ".loc") {
					continue
				}
				for range ReadIndexFile(first, func(name string) (IndexFile, error) {
					if text, ok := files[name]; ok {
						return memoryIndex{strings.NewReader(text)}, nil
					}
					return nil, fs.ErrNotExist
				}) {
				}
			}
		})
	}
}
