package surt_test

import (
	"testing"

	"github.com/varve-archive/varve/cdx/surt"
)

func TestIsHome(t *testing.T) {
	for uri, want := range map[string]bool{
		"http://a.example": true, "http://a.example/": true, "https://www.a.example/": true, "http://a.example:8080/": true,
		"http://a.example/index.html": true, "http://a.example/INDEX.HTM": true, "http://a.example/default.asp": true,
		"http://a.example/home": true, "http://a.example/index.php": true, "http://a.example/#top": true,

		"http://a.example/page": false, "http://a.example/dir/": false, "http://a.example/dir/index.html": false,
		"http://a.example/?q=1": false, "http://a.example/index.php?page=2": false, "http://a.example/index.pdf": false,
		"http://a.example/home.page.html": false, "http://a.example/homes": false, "mailto:me": false, "": false,
	} {
		if got := surt.IsHome(uri); got != want {
			t.Errorf("%q (%s): %v", uri, surt.Of(uri), got)
		}
	}
}
