package percent_test

import (
	"testing"

	"github.com/varve-archive/varve/internal/percent"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "/a%2f|\x7f b": "/a%2f|\x7f b", "é\xff\x80": "%C3%A9%FF%80"} {
		if got := percent.Encode(in, percent.NonASCII); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := percent.Encode("a b\n", func(c byte) bool { return c <= ' ' }); got != "a%20b%0A" {
		t.Errorf("control characters and spaces: %q", got)
	}
}

func TestUTF8(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "/é 河": "/é 河", "/caf\xe9": "/caf%E9", "/é\xff?\x80=%e9": "/%C3%A9%FF?%80=%e9"} {
		if got := percent.UTF8(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
