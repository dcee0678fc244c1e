package cdx

import (
	"encoding/json"
	"testing"
)

func TestCDXJObjectScansWhatIsPlain(t *testing.T) {
	tests := []struct {
		name, in string
		plain    bool
	}{
		{"pywb's lines", `{"url": "http://a.org/", "mime": "text/html", "offset": "7"}`, true},
		{"no spaces, and numbers", `{"url":"http://a.org/","offset":7}`, true},
		{"no members", `{}`, false},
		{"an escape", `{"url": "http://a.org/\u0041"}`, false},
		{"not ASCII", `{"url": "http://a.org/é"}`, false},
		{"a list", `{"url": "http://a.org/", "x": []}`, false},
		{"something behind it", `{"url": "http://a.org/"} x`, false},
		{"no end", `{"url": "http://a.org/"`, false},
		{"no colon", `{"url" "http://a.org/"}`, false},
		{"no name", `{7: "http://a.org/"}`, false},
		{"no end of a name", `{"url`, false},
		{"no value", `{"url": }`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var o cdxjObject
			if got := o.scan(tt.in); got != tt.plain {
				t.Errorf("scan says %v, want %v", got, tt.plain)
			}
		})
	}
}

// If scan reads an object, it reads the same as encoding/json.
func FuzzCDXJObject(f *testing.F) {
	f.Add(`{"url": "http://a.org/", "mime": "text/html", "offset": "7", "status": 200, "offset": 9}`)
	f.Add(`{"url": "a\"b", "uri": null}`)
	f.Fuzz(func(t *testing.T, s string) {
		var quick, slow cdxjObject
		if quick.scan(s) && json.Unmarshal([]byte(s), &slow) == nil && quick != slow {
			t.Errorf("%s: got %q, want %q", s, quick, slow)
		}
	})
}
