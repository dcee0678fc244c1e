package header

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/testkit/growth"
	"github.com/varve-archive/varve/rewrite/uses"
)

// An archived header is up to a megabyte long, and made of anything.
func TestHeadersGrowWithTheirValues(t *testing.T) {
	o := Options{
		Base: "http://a.example/", CookiePrefix: "/web/20150101000000/", ForScript: true, Changed: true,
		Resolve: func(refs []uses.Ref) []string { return make([]string, len(refs)) },
	}
	for _, name := range []string{"Set-Cookie", "Link", "Refresh", "Location", "Content-Type", "Connection"} {
		for _, unit := range []string{",", "a=b,", ",=", "a, ", ";", "=", " ", "<", "<a>,", "<a>;rel=preload,", "\"", "\\", "x", "1:1:1 "} {
			growth.Linear(t, name+" of "+unit, func(n int) string { return strings.Repeat(unit, n) }, func(value string) {
				Rewrite(http.Header{name: {value}}, o)
				Unexpired([]string{value, "a=b; Expires=" + value}, time.Time{})
			})
		}
	}
}
