package change

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/testkit/corpora"

	"github.com/varve-archive/varve/archive/change/site"
	"github.com/varve-archive/varve/archive/content/sketch"
	"github.com/varve-archive/varve/archive/content/visible"
)

// Pages from the live web. A person marked their own text with selectors, which is the ground truth.
const (
	wildPrecision = 0.95
	wildRecall    = 0.98 // of the changes that can be read: the truth counts the targets of links too
	wildWalls     = 0.1  // of the steps to and from a page that was not shown: those that make a version and hide nothing
)

// A wildCapture is one line of such a corpus.
type wildCapture struct {
	URI, Datetime, File string

	Offset int64
	Change *bool // compared with the previous capture; nil if either answer will do
	Shown  bool

	digest  string
	text    uint64
	plain   string // the text without marks
	TextSHA string `json:"text_sha"` // of the terms
	Words   int
}

// A wildCorpus is a set of pages with the sketches of their texts, as an index would hold them.
type wildCorpus struct {
	name     string
	dir      string
	uris     []string // in order of their first capture
	captures map[string][]*wildCapture
	keys     map[string][]*wildCapture // by SURT, in time order
	sketches map[uint64]*sketch.Sketch
}

func (c *wildCorpus) Sketch(id uint64) (*sketch.Sketch, error) { return c.sketches[id], nil }

func readWild(t testing.TB, truthFile string) *wildCorpus {
	t.Helper()
	c := &wildCorpus{
		name: filepath.Base(filepath.Dir(truthFile)), dir: filepath.Dir(truthFile),
		captures: map[string][]*wildCapture{}, keys: map[string][]*wildCapture{}, sketches: map[uint64]*sketch.Sketch{},
	}
	var e visible.Extractor
	files := map[string]*os.File{}
	corpora.Each(t, truthFile, func(v *wildCapture) {
		if files[v.File] == nil {
			f, err := os.Open(filepath.Join(c.dir, v.File))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			files[v.File] = f
		}
		body, contentType := c.body(t, v)
		sum := sha1.Sum(body)
		v.digest = hex.EncodeToString(sum[:])
		text := e.Extract(body, contentType)
		v.plain = strings.Join(strings.Fields(marks.Replace(text.String())), " ")
		if v.text = text.ID(); c.sketches[v.text] == nil {
			s := sketch.Of(&text)
			c.sketches[v.text] = &s
		}
		e.Recycle(&text)
		if c.captures[v.URI] == nil {
			c.uris = append(c.uris, v.URI)
		}
		c.captures[v.URI] = append(c.captures[v.URI], v)
		key := surt.Of(v.URI)
		c.keys[key] = append(c.keys[key], v)
	})
	for _, all := range c.keys {
		slices.SortStableFunc(all, func(a, b *wildCapture) int { return strings.Compare(a.Datetime, b.Datetime) })
	}
	return c
}

func (c *wildCorpus) body(t testing.TB, v *wildCapture) (body []byte, contentType string) {
	return corpora.Body(t, filepath.Join(c.dir, v.File), v.Offset, 1<<30)
}

// site samples the URI-Rs on the host of key, as a server does.
func (c *wildCorpus) site(key string) *site.Site {
	host, _, _ := strings.Cut(key, ")")
	var samples []site.Sample
	for k, all := range c.keys {
		if h, _, _ := strings.Cut(k, ")"); h != host {
			continue
		}
		var s site.Sample
		for _, v := range all[:min(len(all), 100)] {
			if v.text != 0 {
				s.Pages = append(s.Pages, c.sketches[v.text])
			}
		}
		if len(s.Pages) > 1 {
			samples = append(samples, s)
		}
	}
	return site.New(samples)
}

func (c *wildCorpus) ranges(t testing.TB, key string) []Range {
	var states []State
	for _, v := range c.keys[key] {
		ts, _ := cdx.ParseTimestamp(v.Datetime)
		states = append(states, State{Time: ts, Status: 200, Digest: v.digest, Text: v.text})
	}
	ranges, err := Ranges(LevelContent, states, c, c.site(key))
	if err != nil {
		t.Fatal(err)
	}
	return ranges
}

// A wildScore counts answers, and steps to and from pages that were not shown.
type wildScore struct {
	score
	steps, walls int // as the check counts them
	same, held   int // steps between which the terms stayed the same or became so again, and versions made of them
	unread       int // changes of no word of the text
	wrong        []wildWrong
}

type wildWrong struct {
	what string
	a, b *wildCapture
}

func (s *wildScore) wallShare() float64 { return float64(s.held) / max(float64(s.same), 1) }

// readable returns the recall of changes that can be read.
func (s *wildScore) readable() float64 { return float64(s.tp) / max(float64(s.tp+s.fn-s.unread), 1) }

func (s *wildScore) String() string {
	return fmt.Sprintf("precision %.4f recall %.4f tp %d fp %d fn %d tn %d, not to be read %d, walls %d of %d, %d of %d where the "+
		"terms stayed", s.precision(), s.recall(), s.tp, s.fp, s.fn, s.tn,
		s.unread, s.walls, s.steps, s.held, s.same)
}

func (c *wildCorpus) measure(t testing.TB, of func(uri string) bool) *wildScore {
	s := new(wildScore)
	for _, uri := range c.uris {
		if !of(uri) {
			continue
		}
		cuts := map[string]Kind{}
		for _, r := range c.ranges(t, surt.Of(uri))[1:] {
			cuts[r.First.String()] = r.Kind
		}
		all := c.captures[uri]
		for i, b := range all[1:] {
			s.step(all[i], b, cuts)
			s.wall(all, i, cuts)
		}
	}
	return s
}

// wall counts the step from capture i to the next if the page was shown with the same terms before and after.
func (s *wildScore) wall(all []*wildCapture, i int, cuts map[string]Kind) {
	a, b := all[i], all[i+1]
	if a.Shown == b.Shown {
		return
	}
	before, after := i, i+1
	for before >= 0 && !all[before].Shown {
		before--
	}
	for after < len(all) && !all[after].Shown {
		after++
	}
	if before < 0 || after == len(all) || all[before].TextSHA != all[after].TextSHA {
		return
	}
	s.same++
	if kind, got := cuts[b.Datetime]; got && kind == Page {
		s.held++
	}
}

// step counts the answer for two neighbouring captures.
func (s *wildScore) step(a, b *wildCapture, cuts map[string]Kind) {
	kind, got := cuts[b.Datetime]
	if a.Shown != b.Shown {
		s.steps++
		if got && kind == Page {
			s.walls++
			s.wrong = append(s.wrong, wildWrong{"wall", a, b})
		}
	}
	if b.Change == nil {
		return
	}
	if *b.Change && !got && a.plain == b.plain {
		s.unread++
	}
	if *b.Change != got {
		s.wrong = append(s.wrong, wildWrong{map[bool]string{true: "fp", false: "fn"}[got], a, b})
	}
	s.add(*b.Change, got, b.Datetime+" "+b.URI)
}

// half splits sites in two, so that what is tuned on one half can be checked on the other.
func half(uri string) bool {
	h := fnv.New32a()
	host, _, _ := strings.Cut(surt.Of(uri), ")")
	h.Write([]byte(host))
	return h.Sum32()>>7&1 == 0
}

func TestWildPages(t *testing.T) {
	for _, file := range corpora.WildFiles(t) {
		c := readWild(t, file)
		all := c.measure(t, func(string) bool { return true })
		t.Logf("%-14s %s", c.name, all)
		t.Logf("%-14s %s", "one half", c.measure(t, half))
		t.Logf("%-14s %s", "the other", c.measure(t, func(u string) bool { return !half(u) }))
		if all.precision() < wildPrecision || all.readable() < wildRecall || all.wallShare() > wildWalls {
			t.Errorf("want precision %v, recall %v, walls %v", wildPrecision, wildRecall, wildWalls)
		}
		if os.Getenv("VARVE_SHOW") != "" {
			c.show(t, all.wrong)
		}
	}
}

// show prints what differs between the captures of each wrong answer.
func (c *wildCorpus) show(t testing.TB, wrong []wildWrong) {
	var out bytes.Buffer
	for _, w := range wrong {
		fmt.Fprintf(&out, "=== %s %s %s %s\n", w.what, w.a.Datetime, w.b.Datetime, w.b.URI)
		var e, f visible.Extractor
		body, ct := c.body(t, w.a)
		a := e.Extract(body, ct)
		body, ct = c.body(t, w.b)
		b := f.Extract(body, ct)
		fmt.Fprintf(&out, "%d blocks %d bytes -> %d blocks %d bytes\n", len(a.Blocks), a.Size(), len(b.Blocks), b.Size())
		showBlocks(&out, "-", &a, &b)
		showBlocks(&out, "+", &b, &a)
	}
	os.Stdout.Write(out.Bytes())
}

// showBlocks prints the blocks that only a has.
func showBlocks(out io.Writer, sign string, a, b *visible.Text) {
	n := map[string]int{}
	for _, x := range b.Blocks {
		n[x.Text]++
	}
	for i, x := range a.Blocks {
		if n[x.Text]--; n[x.Text] >= 0 {
			continue
		}
		text := x.Text
		if len(text) > 160 {
			text = text[:100] + " … " + text[len(text)-50:]
		}
		fmt.Fprintf(out, "  %s %4d/%d %-7s h%d links %.2f slot %08x %q\n", sign, i, len(a.Blocks), x.Region, x.Heading, x.Links, x.Slot, text)
	}
}

// show prints what differs between the captures of each wrong answer.
func (c *corpus) show(t testing.TB, dir string, wrong []string) {
	for _, w := range wrong {
		_, at, _ := strings.Cut(w, ": ")
		ts, uri, _ := strings.Cut(at, " ")
		all := c.captures[uri]
		i := slices.IndexFunc(all, func(v truth) bool { return v.Datetime == ts })
		for i > 0 && c.text(t, dir, all[i-1]) == nil {
			i--
		}
		if i < 1 {
			continue
		}
		a, b := c.text(t, dir, all[i-1]), c.text(t, dir, all[slices.IndexFunc(all, func(v truth) bool { return v.Datetime == ts })])
		var out bytes.Buffer
		fmt.Fprintf(&out, "=== %s\n", w)
		showBlocks(&out, "-", a, b)
		showBlocks(&out, "+", b, a)
		os.Stdout.Write(out.Bytes())
	}
}

// text reads the text of a capture, or of the one to which a revisit refers. It returns nil if there is none.
func (c *corpus) text(t testing.TB, dir string, v truth) *visible.Text {
	for _, all := range c.captures {
		for _, o := range all {
			if o.Record == "response" && o.Digest == v.Digest && o.Status == 200 {
				var e visible.Extractor
				body, ct := corpora.Body(t, filepath.Join(dir, o.File), o.Offset, o.Rlen)
				text := e.Extract(body, ct)
				return &text
			}
		}
	}
	return nil
}
