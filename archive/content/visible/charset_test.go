package visible

import (
	"testing"

	"golang.org/x/net/html/charset"
)

// The cache of page beginnings must make no difference.
func FuzzCharsetIsTheOneThatIsDeclared(f *testing.F) {
	for _, page := range []string{
		"<meta charset=utf-8>a", "<title>T</title><meta http-equiv=content-type content='text/html; charset=windows-1251'>\xe0",
		"<!-- <meta charset=koi8-r> --><meta charset=utf-8>",
		"<meta charset=x><meta charset=koi8-r>", "<title><meta charset=koi8-r></title>",
		"<meta content='a>b; charset=koi8-r' http-equiv=content-type>", "charset>\xd0\xb6", "<script src=a charset=utf-8></script>\xd0\xb6",
	} {
		f.Add([]byte(page), "text/html")
		f.Add([]byte(page), "text/html; charset=iso-8859-2")
	}
	d := new(declared)
	f.Fuzz(func(t *testing.T, page []byte, contentType string) {
		_, want, certain := charset.DetermineEncoding(page, contentType)
		for _, again := range []string{"first", "again"} {
			if _, got, sure := d.determine(page, contentType); got != want || sure != certain {
				t.Errorf("%s %s (%v), want %s (%v)", again, got, sure, want, certain)
			}
		}
	})
}
