package console

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/varve-archive/varve/archive/ingest"
)

func TestEqualProblemsAreSaidTogether(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{out: &out}
	for _, file := range []string{"/w/a.warc.gz", "/w/b.warc.gz"} {
		for offset := range int64(200) {
			p.Problem(ingest.Problem{File: file, Offset: offset, Reason: "no record"})
		}
		p.Problem(ingest.Problem{File: file, Offset: -1, Reason: "can't be read"})
	}
	p.Problem(ingest.Problem{File: "/w/a.warc.gz", Offset: 7, Reason: "no record", Warning: true})
	for _, offset := range []int64{9, 0} {
		p.Problem(ingest.Problem{File: "/w/a.warc.gz", Offset: offset, Reason: "no digest"})
	}
	first := `varve: /w/a.warc.gz: offset 0: no record
varve: /w/a.warc.gz: can't be read
varve: warning: /w/a.warc.gz: offset 7: no record
varve: /w/a.warc.gz: offset 9: no digest
`
	if out.String() != first {
		t.Errorf("at once:\n%s", &out)
	}
	p.Stop()
	const rest = `varve: 399 more in 2 files: no record: /w/a.warc.gz offset 1, /w/b.warc.gz offset 0, …
varve: 1 more: can't be read: /w/b.warc.gz
varve: 1 more: no digest: /w/a.warc.gz offset 0
`
	if out.String() != first+rest {
		t.Errorf("at the end:\n%s", &out)
	}
	if p.Say(); out.String() != first+rest {
		t.Errorf("said twice:\n%s", &out)
	}
}

// However many different reasons there are, each is said.
func TestReasonsThatAreNotRememberedAreSaid(t *testing.T) {
	var r Repeats
	for i := range 3 * maxReasons {
		if !r.Add(fmt.Sprint(i), "a.warc", "") {
			t.Fatalf("the first of reason %d is kept back", i)
		}
	}
	if !r.Add(fmt.Sprint(maxReasons), "b.warc", "") || r.Add("0", "b.warc", "") || r.Add(fmt.Sprint(maxReasons-1), "b.warc", "") {
		t.Error("reasons beyond the limit are remembered, or those below forgotten")
	}
	if rest := r.Rest(); len(rest) != 2 || rest[0] != "1 more: 0: b.warc" {
		t.Errorf("%q", rest)
	}
}

// What is said together names its files, each with its first place, and says whether there are more places.
func TestPlacesOfWhatIsSaidTogether(t *testing.T) {
	named := "f1 0"
	for i := 2; i <= 20; i++ {
		named += fmt.Sprintf(", f%d 0", i)
	}
	for _, c := range []struct {
		files, each int
		want        string
	}{
		{1, 1, "1 more: bad: f1 0"},
		{1, 2, "2 more in 1 file: bad: f1 0, …"},
		{2, 1, "2 more in 2 files: bad: f1 0, f2 0"},
		{20, 1, "20 more in 20 files: bad: " + named},
		{21, 1, "21 more in 21 files: bad: " + named + ", …"},
	} {
		var r Repeats
		r.Add("bad", "f0", "0")
		for file := range c.files {
			for place := range c.each {
				r.Add("bad", fmt.Sprintf("f%d", file+1), fmt.Sprint(place))
			}
		}
		if rest := r.Rest(); len(rest) != 1 || rest[0] != c.want {
			t.Errorf("%q, want %s", rest, c.want)
		}
	}
}
