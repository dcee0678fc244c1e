package respond

import (
	"net/http"
	"testing"
)

func TestVaryNamesEachHeaderOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		have  []string
		names []string
		want  string
	}{
		{"the first", nil, []string{"Accept"}, "Accept"},
		{"a name that is part of another's", []string{"Accept-Language"}, []string{"Accept"}, "Accept-Language, Accept"},
		{"several", []string{"Prefer"}, []string{"Accept", "Cookie"}, "Prefer, Accept, Cookie"},
		{"twice", []string{"Accept-Language, Accept"}, []string{"Accept", "accept-language"}, "Accept-Language, Accept"},
		{"twice at once", nil, []string{"Accept", "accept"}, "Accept"},
		{"on several lines", []string{"Prefer", "Accept"}, []string{"Accept", "Referer"}, "Prefer, Accept, Referer"},
		{"everything varies", []string{"*"}, []string{"Accept"}, "*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{}
			for _, v := range tt.have {
				h.Add("Vary", v)
			}
			Vary(h, tt.names...)
			if got := h.Values("Vary"); len(got) != 1 || got[0] != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
