package cdx_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/cdxtest"
)

// Resume keys lead through all captures without loss or repetition: in both directions, with filters and collapses, and
// while other captures arrive.
func TestAPIResumes(t *testing.T) {
	captures := cdxtest.Captures()
	for _, query := range []string{
		"url=*", "url=*&sort=reverse", "url=http://many.org/", "url=*&filter=offset:.*0&collapse=urlkey", "url=*&collapse=digest",
		"url=*&from=2021&output=json",
		"url=*&collapseToLast=urlkey", "url=*&sort=reverse&collapseToLast=digest&filter=offset:.*[02468]",
	} {
		t.Run(query, func(t *testing.T) {
			captures := slices.Clone(captures)
			query += "&fl=urlkey,timestamp,filename,offset"
			want := rowsOf(t, body(t, get(t, cdxtest.Memory(captures), nil, query)), strings.Contains(query, "json"))
			var got []string
			key := ""
			for n := 0; ; n++ {
				// each time, one more capture before and after all others
				captures = append(captures, capture(fmt.Sprintf("http://a.aaa/%d", n), 19990101000000, 200, "x"),
					capture(fmt.Sprintf("http://z.zzz/%d", n), 19990101000000, 200, "x"))
				res := body(t, get(t, cdxtest.Memory(captures), nil, query+"&limit=7&showResumeKey=true&resumeKey="+key))
				rows := rowsOf(t, res, strings.Contains(query, "json"))
				if len(rows) < 2 || rows[len(rows)-2] != "" {
					got = append(got, rows...)
					break
				}
				key = rows[len(rows)-1]
				got = append(got, rows[:len(rows)-2]...)
				if n > 1000 {
					t.Fatal("the resume keys don't end")
				}
			}
			seen := strings.Join(got, "\n")
			for _, row := range want {
				if strings.Count(seen, row) != 1 {
					t.Errorf("%s comes %d times", row, strings.Count(seen, row))
				}
			}
		})
	}
	res := get(t, cdxtest.Memory(captures), nil, "url=http://many.org/&limit=1&showResumeKey=true")
	key := strings.TrimSpace(strings.SplitAfter(body(t, res), "\n\n")[1])
	if res := get(t, cdxtest.Memory(captures), nil, "url=http://example.org/&resumeKey="+key); res.StatusCode != 400 {
		t.Errorf("a resume key of another query: got %d", res.StatusCode)
	}
	var paths []cdx.Capture
	for _, path := range []string{"", "a", "ab", "b", "c"} {
		paths = append(paths, capture("http://path.example/"+path, 20140101000000, 200, "x"))
	}
	for n, fits := range []bool{false, true, true, false} { // of the range from a to b
		first := body(t, get(t, cdxtest.Memory(paths), nil, fmt.Sprintf("url=path.example/*&limit=%d&showResumeKey=true", n+1)))
		key := strings.TrimSpace(strings.SplitAfter(first, "\n\n")[1])
		if res := get(t, cdxtest.Memory(paths), nil, "url=path.example/a*&resumeKey="+key); (res.StatusCode == 200) != fits {
			t.Errorf("a resume key at %s: got %d", paths[n].Key, res.StatusCode)
		}
	}
	for output, want := range map[string]string{"ndjson": `{"resumeKey": "` + key + "\"}\n", "cdxj": `!meta {"resumeKey": "` + key + "\"}\n"} {
		got := body(t, get(t, cdxtest.Memory(captures), nil, "url=http://many.org/&limit=1&showResumeKey=true&output="+output))
		if !strings.HasSuffix(got, "\n"+want) {
			t.Errorf("%s: got %s, want it to end in %s", output, got, want)
		}
	}
}

// rowsOf splits an answer into rows; the row before a resume key is "".
func rowsOf(t *testing.T, answer string, isJSON bool) []string {
	t.Helper()
	if !isJSON {
		return strings.Split(strings.TrimSuffix(answer, "\n"), "\n")
	}
	var arrays [][]string
	if err := json.Unmarshal([]byte(answer), &arrays); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	var rows []string
	for i, a := range arrays {
		if i > 0 {
			rows = append(rows, strings.Join(a, " "))
		}
	}
	return rows
}

// A key that was cut off, or is of something else, is refused. None leads to another place.
func TestResumeKeysThatAreNone(t *testing.T) {
	src := cdxtest.Memory(cdxtest.Captures())
	ask := func(key string) (int, string) {
		res := get(t, src, nil, "url=http://many.org/&limit=1&showResumeKey=true&resumeKey="+key)
		return res.StatusCode, body(t, res)
	}
	_, first := ask("")
	key := strings.TrimSpace(strings.SplitAfter(first, "\n\n")[1])
	if code, _ := ask(key); code != 200 {
		t.Fatalf("%s: %d", key, code)
	}
	wrong := []string{"!", key + "!", "AAAA", "gICAgICAgICAgAE", strings.Repeat("A", 100_000), strings.Repeat("A", 100_001), key[1:]}
	for i := 1; i < len(key); i++ {
		wrong = append(wrong, key[:i])
	}
	for _, k := range wrong {
		if code, said := ask(k); code != 400 || !strings.Contains(said, "resumeKey") {
			t.Errorf("%.60s: %d %s", k, code, said)
		}
	}
}
