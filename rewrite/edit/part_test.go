package edit

import "testing"

func TestCharacterReferencesInAttributes(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a&amp;b", "a&b"},
		{"a&ampb", "a&ampb"},
		{"a&amp=b", "a&amp=b"},
		{"&amp", "&"},
		{"&copy=1", "&copy=1"},
		{"&copy;=1", "©=1"},
		{"&copyx;", "&copyx;"},
		{"&#38;", "&"},
		{"&#x26", "&"},
		{"&#38=", "&="},
		{"&;", "&;"},
		{"&", "&"},
		{"&&lt;", "&<"},
		{"&semi;", ";"},
		{"&nosuch;", "&nosuch;"},
		{"&CounterClockwiseContourIntegral;", "∳"},
	} {
		p := DecodeAttribute([]byte(tt.in), 0, len(tt.in))
		if string(p.Text) != tt.want {
			t.Errorf("%q is %q, want %q", tt.in, p.Text, tt.want)
		}
		if got := string(appendDecodedText(nil, []byte(tt.in))); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.in, got, tt.want)
		}
		if p.Pos != nil && len(p.Pos) != len(p.Text)+1 {
			t.Errorf("%q: %d positions for %d bytes", tt.in, len(p.Pos), len(p.Text))
		}
	}
}
