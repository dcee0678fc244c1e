package header_test

import (
	"fmt"
	"net/http"

	"github.com/varve-archive/varve/rewrite/header"
	"github.com/varve-archive/varve/rewrite/uses"
)

// resolve points everything to one datetime; a server would query its index.
func resolve(refs []uses.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = "/web/20200101000000" + r.Use.String() + "/" + r.URI
	}
	return out
}

func ExampleRewrite() {
	archived := http.Header{"Location": {"/new"}, "X-Frame-Options": {"DENY"}}
	h := header.Rewrite(archived, header.Options{Base: "http://example.com/old", Resolve: resolve})
	fmt.Println(h.Get("Location"))
	fmt.Println(h.Get("X-Archive-Orig-X-Frame-Options"))
	// Output:
	// /web/20200101000000/http://example.com/new
	// DENY
}
