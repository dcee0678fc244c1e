package change

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
)

// A truth is one line of a corpus's ground truth: a capture and what really changed in it.
type truth struct {
	URI, Datetime, MIME, Record, Digest, File, Redirect, State string

	Status       int
	Offset, Rlen int64

	TextSHA        string   `json:"text_sha"`
	TextLen        int      `json:"text_len"`
	TextChanged    *bool    `json:"text_changed_from_prev"`
	MainChanged    *bool    `json:"main_changed_from_prev"`
	DigestChanged  *bool    `json:"digest_changed_from_prev"`
	Boilerplate    bool     `json:"boilerplate_only"`
	FurnitureMaybe bool     `json:"furniture_maybe"`
	Noise          []string `json:"noise"`
	Soft404        bool

	marksOnly bool // no word differs from the page before, only quotation marks, dashes and the like
}

// A corpus is a site with its ground truth and the sketches of its texts, as an index would hold them.
type corpus struct {
	name     string
	uris     []string
	captures map[string][]truth // in time order
	texts    map[string]uint64  // by payload digest
	sketches map[uint64]*Sketch
	noise    map[string]uint64 // texts by URI-R and datetime, if captures got noise of their own
}

func (c *corpus) Sketch(id uint64) (*Sketch, error) { return c.sketches[id], nil }

// corpora returns the folders of the shared corpora, or skips.
func corpora(t testing.TB) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; !exists(filepath.Join(dir, "go.mod")); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
	}
	found, _ := filepath.Glob(filepath.Join(dir, "..", "shared", "corpus", "*", "*.truth.jsonl.gz"))
	if more := os.Getenv("VARVE_CORPORA"); more != "" {
		found, _ = filepath.Glob(filepath.Join(more, "*", "*.truth.jsonl.gz"))
	}
	if len(found) == 0 {
		t.Skip("no ../shared/corpus: nothing to measure against")
	}
	if testing.Short() {
		t.Skip("reads the corpora, which takes long: make test-full does")
	}
	return found
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func readCorpus(t testing.TB, truthFile string) *corpus {
	t.Helper()
	c := &corpus{
		name: filepath.Base(filepath.Dir(truthFile)), captures: map[string][]truth{},
		texts: map[string]uint64{}, sketches: map[uint64]*Sketch{},
	}
	var e Extractor
	unmarked := map[string]string{} // texts without marks, by payload digest
	eachTruth(t, truthFile, func(v truth) {
		if _, ok := c.captures[v.URI]; !ok {
			c.uris = append(c.uris, v.URI)
		}
		c.captures[v.URI] = append(c.captures[v.URI], v)
		if _, ok := c.texts[v.Digest]; ok || v.Record != "response" || v.MIME != "text/html" || v.Status >= 500 || v.Status/100 == 3 {
			return
		}
		body, contentType := readBody(t, filepath.Join(filepath.Dir(truthFile), v.File), v.Offset, v.Rlen)
		text := e.Extract(body, contentType)
		s := text.Sketch()
		c.sketches[s.ID] = &s
		c.texts[v.Digest] = s.ID
		unmarked[v.Digest] = strings.Join(strings.Fields(marks.Replace(text.String())), " ")
	})
	for _, v := range c.captures {
		slices.SortStableFunc(v, func(a, b truth) int { return strings.Compare(a.Datetime, b.Datetime) })
		findMarksOnly(v, unmarked)
	}
	return c
}

// marks takes out what the ground truth counts as changed text and what is no changed word at level content.
var marks = strings.NewReplacer("'", "", "’", "", "‘", "", `"`, "", "“", "", "”", "", "-", "", "–", "", "—", "", "...", "", "…", "",
	"¶", "")

// findMarksOnly finds captures of a page in which no word has changed, though the text has.
func findMarksOnly(captures []truth, unmarked map[string]string) {
	before, known := "", false
	for i := range captures {
		v := &captures[i]
		text, ok := unmarked[v.Digest]
		if !ok || v.TextSHA == "" {
			continue
		}
		v.marksOnly = known && v.TextChanged != nil && *v.TextChanged && text == before
		before, known = text, true
	}
}

func eachTruth(t testing.TB, file string, do func(truth)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(z); ; {
		var v truth
		err := lines.Decode(&v)
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		do(v)
	}
}

// readBody returns the payload of the response record at offset, without its content codings.
func readBody(t testing.TB, file string, offset, length int64) (body []byte, contentType string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(io.NewSectionReader(f, offset, length))
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false) // a record is one member
	record, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := bytes.Cut(record, []byte("\r\n\r\n"))
	n := len(rest)
	for line := range strings.SplitSeq(string(head), "\r\n") {
		if k, v, _ := strings.Cut(line, ":"); strings.EqualFold(k, "Content-Length") {
			n, _ = strconv.Atoi(strings.TrimSpace(v))
		}
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rest[:n])), nil)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	if body, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return body, resp.Header.Get("Content-Type")
}

// states returns what an index would answer for a URI-R.
func (c *corpus) states(uri string) []State {
	out := make([]State, 0, len(c.captures[uri]))
	for _, v := range c.captures[uri] {
		ts, _ := cdx.ParseTimestamp(v.Datetime)
		text, ok := c.noise[uri+" "+v.Datetime]
		if !ok {
			text = c.texts[v.Digest]
		}
		out = append(out, State{
			Time: ts, Status: v.Status, Digest: v.Digest, Redirect: v.Redirect, Text: text,
			Failed: v.Status >= 500 || v.Status == 429,
		})
	}
	return out
}

// site samples n URI-Rs with text evenly over the sorted list, as a server would.
func (c *corpus) site(n int) *Site {
	var some []string
	for _, u := range slices.Sorted(slices.Values(c.uris)) {
		if s := c.sample(u); len(s.Pages) >= 2 {
			some = append(some, u)
		}
	}
	var samples []Sample
	for i := range min(n, len(some)) {
		samples = append(samples, c.sample(some[i*len(some)/min(n, len(some))]))
	}
	missing := 0
	for _, u := range c.uris {
		if s := c.sample(u); len(s.Pages) == 0 && len(s.Missing) > 0 && missing < 10 {
			samples = append(samples, s)
			missing++
		}
	}
	return NewSite(samples)
}

func (c *corpus) sample(uri string) Sample {
	var s Sample
	for _, st := range c.states(uri) {
		sketch := c.sketches[st.Text]
		switch {
		case sketch == nil:
		case st.Status == 200 && len(s.Pages) < 100:
			s.Pages = append(s.Pages, sketch)
		case st.Status == 404 && len(s.Missing) < 3:
			s.Missing = append(s.Missing, sketch)
		}
	}
	return s
}
