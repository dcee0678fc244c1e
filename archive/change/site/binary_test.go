package site

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive/content/sketch"
)

// randomSite learns from pages with clocks, rotating lines, menus, and texts that take the place of others.
func randomSite(rnd *rand.Rand) (*Site, []*sketch.Sketch) {
	var texts []*sketch.Sketch
	text := func(format string, args ...any) *sketch.Sketch {
		texts = append(texts, sketchOf(fmt.Sprintf(format, args...)))
		return texts[len(texts)-1]
	}
	var samples []Sample
	for page := range rnd.IntN(12) {
		var s Sample
		for range rnd.IntN(9) {
			switch rnd.IntN(12) {
			case 0:
				s.Missing = append(s.Missing, text("<h1>Oh dear</h1><p>We have no page number %d, and %d others.", page, rnd.IntN(3)))
			case 1:
				s.Pages = append(s.Pages, text("<p>Gone for good."))
			case 2:
				s.Pages = append(s.Pages, text("<p>A text that stands on several pages, %d of them or so", rnd.IntN(2)))
			default:
				s.Pages = append(s.Pages, text("<h1>Page %d</h1><p>Home Contact About us<p>It is %d o'clock<p>Quote %c of the day<p>%s",
					page, rnd.IntN(24), 'a'+rune(rnd.IntN(3)), lorem(rnd)))
			}
		}
		samples = append(samples, s)
	}
	return New(samples), texts
}

// lorem returns many words.
func lorem(rnd *rand.Rand) string {
	var b bytes.Buffer
	for range 40 + rnd.IntN(200) {
		fmt.Fprintf(&b, "%c%c%c ", 'a'+rnd.IntN(26), 'a'+rnd.IntN(26), 'a'+rnd.IntN(26))
	}
	return b.String()
}

// verdicts are all that is asked of a site about texts.
func verdicts(s *Site, texts []*sketch.Sketch) (said []any) {
	for i, k := range texts {
		said = append(said, s.Elsewhere(k), s.Soft404(k, nil), s.Soft404(k, texts[i/2]), s.split(k))
		for j := range k.Blocks {
			said = append(said, s.VolatileBlock(&k.Blocks[j]), s.FurnitureBlock(&k.Blocks[j]))
		}
	}
	return said
}

func TestAStoredSiteSaysTheSame(t *testing.T) {
	told := 0
	for seed := range uint64(200) {
		site, texts := randomSite(rand.New(rand.NewPCG(seed, 5)))
		stored := site.AppendBinary(nil)
		back, err := Parse(stored)
		if err != nil {
			t.Fatal(err)
		}
		for _, content := range []bool{false, true} {
			if back.Sum(content) != site.Sum(content) {
				t.Errorf("seed %d: of content %t the sum is %x, was %x", seed, content, back.Sum(content), site.Sum(content))
			}
			if site.Sum(content) != 0 {
				told++
			}
		}
		if want, got := verdicts(site, texts), verdicts(back, texts); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: it says\n%v, said\n%v", seed, got, want)
		}
		if again := back.AppendBinary(nil); !bytes.Equal(again, stored) {
			t.Errorf("seed %d: it is stored otherwise when it comes back", seed)
		}
	}
	if told < 200 {
		t.Errorf("only %d sites tell anything", told)
	}
	for _, more := range []string{"x", "xy"} {
		if _, err := Parse(append((*Site)(nil).AppendBinary(nil), more...)); err == nil || !strings.Contains(err.Error(), "too many") {
			t.Errorf("with %q behind it: %v", more, err)
		}
	}
	nothing, err := Parse((*Site)(nil).AppendBinary(nil))
	if err != nil || nothing.Sum(true) != 0 {
		t.Errorf("of no site: %v, %v", nothing, err)
	}
}

func TestASiteOfAnotherFormatIsRefused(t *testing.T) {
	stored := New(nil).AppendBinary(nil)
	stored[0]++
	if _, err := Parse(stored); err == nil {
		t.Error("it is read")
	}
}

func FuzzParseSite(f *testing.F) {
	for seed := range uint64(4) {
		site, _ := randomSite(rand.New(rand.NewPCG(seed, 5)))
		f.Add(site.AppendBinary(nil))
	}
	f.Add([]byte{siteVersion})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		stored := s.AppendBinary(nil)
		again, err := Parse(stored)
		if err != nil || again.Sum(true) != s.Sum(true) || !bytes.Equal(again.AppendBinary(nil), stored) {
			t.Errorf("does not come back: %v", err)
		}
	})
}
