package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A server that may open few files must serve many, and must accept connections while others hold all that there may be.
func TestFewDescriptors(t *testing.T) {
	const limit, many = 96, 300
	few := filepath.Join(t.TempDir(), "few")
	script := fmt.Sprintf("#!/bin/sh\nulimit -n %d\nexec %s \"$@\"\n", limit, binary)
	if err := os.WriteFile(few, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	uri := func(i int) string { return fmt.Sprintf("http://many.example/%d", i) }
	for i := range many {
		files[fmt.Sprintf("%d.warc.gz", i)] = (&archive{}).page(uri(i), day, fmt.Sprintf("page %d", i)).bytes()
	}
	starts(t, few)
	s, _ := serve(t, files)
	for i := range many {
		if a := s.get(t, "/web/"+day+"id_/"+uri(i)).expect(t, 200); a.body != fmt.Sprintf("page %d", i) {
			t.Errorf("%s: %q", uri(i), a.body)
		}
	}
	for range 2 * limit {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	s.get(t, "/-/healthz").expect(t, 200)
	if strings.Contains(s.log.String(), "too many open files") {
		t.Errorf("descriptors ran out:\n%s", s.log)
	}
}

// A file that is replaced while it is served must never answer with bytes of another capture: until the new content is
// indexed, an answer is the old capture's or an error. Then it is the new one's.
func TestReplacedWhileServed(t *testing.T) {
	t.Parallel()
	content := func(generation string) []byte {
		a := &archive{}
		for i := range 40 { // captures of one length, so that most offsets stay while the addresses behind them change
			name := fmt.Sprintf("%s-%02d", generation, (i*7+len(generation))%40)
			a.page("http://replaced.example/"+name, day, strings.Repeat(name+" ", 50))
		}
		return a.bytes()
	}
	s, folder := serve(t, map[string][]byte{"a.warc.gz": content("one")})
	deadline := time.Now().Add(patience)
	for _, generation := range []string{"two", "one", "six"} {
		put(t, filepath.Join(folder, "a.warc.gz"), content(generation))
		for seen := 0; seen < 40; {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %d of 40 pages were ever seen", generation, seen)
			}
			seen = 0
			for i := range 40 {
				for _, g := range []string{"one", "two", "six"} {
					name := fmt.Sprintf("%s-%02d", g, i)
					a := s.get(t, "/web/"+day+"id_/http://replaced.example/"+name)
					if a.status == 200 && a.body != strings.Repeat(name+" ", 50) {
						t.Fatalf("%s is answered with %.30q", name, a.body)
					}
					if a.status == 200 && g == generation {
						seen++
					}
				}
			}
		}
	}
}
