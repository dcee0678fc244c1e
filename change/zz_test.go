package change

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	want := strings.Fields(os.Getenv("ZZ"))
	if len(want) < 2 {
		t.Skip()
	}
	for _, file := range wildCorpora(t) {
		c := &wildCorpus{dir: file[:strings.LastIndex(file, "/")]}
		eachWild(t, file, func(v *wildCapture) {
			if v.Datetime != want[0] || !strings.Contains(v.URI, want[1]) {
				return
			}
			body, ct := c.body(t, v)
			var e Extractor
			text := e.Extract(body, ct)
			own := e.weighProse()
			fmt.Println("main zone", e.mainZone(own))
			prev := -1
			for i, b := range e.blocks {
				if b.zone != prev {
					prev = b.zone
					var chain []string
					for z := b.zone; z > 0; z = e.zones[z].parent {
						chain = append(chain, fmt.Sprintf("%d(s%d p%d l%d a%d t%d %v)", z, e.zones[z].size, e.zones[z].prose, e.zones[z].links, e.zones[z].asks, e.zones[z].tells, e.zones[z].notice))
					}
					fmt.Println("   ", strings.Join(chain, " "))
				}
				s := text.Blocks[i].Text
				if len(s) > 60 {
					s = s[:60]
				}
				fmt.Println(i, b.region, b.heading, b.links, b.hints, s)
			}
		})
	}
}
