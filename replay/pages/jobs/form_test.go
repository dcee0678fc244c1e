package jobs

import (
	"errors"
	"testing"

	"github.com/varve-archive/varve/replay/pages/layout"
)

// Whatever is wrong with a crawl file is a fault, which says what key it is about if the check knows it.
func TestFaultsOfACrawlFile(t *testing.T) {
	plain := errors.New("that is no crawl")
	for _, tt := range []struct {
		name  string
		found error
		want  Fault
	}{
		{"no key is known", plain, Fault{Err: plain}},
		{"a key and its line", &Fault{Key: "name", Line: 3, Err: plain}, Fault{Key: "name", Line: 3, Err: plain}},
	} {
		h := &Handler{Config: Config{Check: func(string) (string, []string, error) { return "", nil, tt.found }}}
		_, err := h.jobOf(&layout.Form{Values: map[string]string{"file": "seeds: []"}})
		var fault *Fault
		if !errors.As(err, &fault) || *fault != tt.want {
			t.Errorf("%s: %#v", tt.name, err)
		}
	}
}
