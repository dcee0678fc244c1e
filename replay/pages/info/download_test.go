package info

import (
	"testing"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Names of downloads have characters that every file system accepts.
func TestNamesOfDownloads(t *testing.T) {
	for uri, want := range map[string]string{
		"http://www.a-b.example/x": "a-b.example-20150102030405", "http://a.example:8080/": "a.example_8080-20150102030405",
		"http://[::1]/": "__1-20150102030405", "urn:isbn:0451450523": "urn-20150102030405", "dns:a.example": "dns-20150102030405",
	} {
		if got := fileName(&cdx.Capture{Key: surt.Of(uri), Time: 20150102030405}); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
}
