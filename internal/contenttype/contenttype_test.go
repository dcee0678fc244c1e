package contenttype

import "testing"

func TestMedia(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"text/html": "text/html", " Text/HTML ;charset=utf-8": "text/html", "text/html;charset=a;charset=b": "text/html",
		"text/html; =": "text/html", "": "", ";x": "", "page": "page",
	} {
		if got := Media(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
