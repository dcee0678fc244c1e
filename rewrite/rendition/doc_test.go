package rendition

import "testing"

func TestPartsOfAListAreReplaced(t *testing.T) {
	for _, tt := range []struct {
		name  string
		parts []part
		want  string
	}{
		{"none", nil, "0123456789"},
		{"two that touch, the later first", []part{{start: 5, end: 7, put: "b"}, {start: 2, end: 5, put: "a"}}, "01ab789"},
		{"one in another, and one behind them", []part{{start: 1, end: 5, put: "a"}, {start: 2, end: 3, put: "b"}, {start: 8, end: 10}}, "0a567"},
		{"all", []part{{start: 0, end: 10}}, ""},
	} {
		if got := string(without([]byte("0123456789"), tt.parts)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
