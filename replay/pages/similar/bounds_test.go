package similar

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/varve-archive/varve/archive/similar"
	"github.com/varve-archive/varve/replay/respond"
)

func TestNumbersOfParametersHaveBounds(t *testing.T) {
	likeness := func(p respond.Path) error { _, _, err := params(p); return err }
	for _, tt := range []struct {
		name  string
		query string
		ok    bool
	}{
		{"none", "", true},
		{"the least threshold", "threshold=0", true},
		{"the greatest threshold", "threshold=1", true},
		{"below", "threshold=-0.01", false},
		{"above", "threshold=1.01", false},
		{"no number", "threshold=NaN", false},
		{"one", "limit=1", true},
		{"none of them", "limit=0", false},
		{"as many as can be", fmt.Sprint("limit=", similar.MaxResults), true},
		{"one more", fmt.Sprint("limit=", similar.MaxResults+1), false},
	} {
		if err := likeness(asked(tt.query)); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		} else if err != nil && respond.AsFailure(err).Status != http.StatusBadRequest {
			t.Errorf("%s: %d", tt.name, respond.AsFailure(err).Status)
		}
	}
}

func asked(query string) respond.Path {
	v, _ := url.ParseQuery(query)
	return respond.Path{Coll: "web", Params: v}
}
