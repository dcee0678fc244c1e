package rewrite_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/varve-archive/varve/rewrite"
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

func ExampleHTML() {
	page := strings.NewReader(`<body><a href="../about.html#us">About</a>
<img src=logo.png>`)
	err := rewrite.HTML(os.Stdout, page, rewrite.Options{
		Base:    "http://example.com/en/",
		Resolve: resolve,
		Banner:  []byte("<varve-banner></varve-banner>"),
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// <body><varve-banner></varve-banner><a href="/web/20200101000000/http://example.com/about.html#us">About</a>
	// <img src=/web/20200101000000im_/http://example.com/en/logo.png>
}

func ExampleSniff() {
	head := []byte("@import 'a.css';")
	format := rewrite.Sniff("text/plain", uses.Style, head)
	_ = format.Rewrite(os.Stdout, strings.NewReader(string(head)), rewrite.Options{Base: "http://example.com/b.css", Resolve: resolve})
	// Output: @import '/web/20200101000000cs_/http://example.com/a.css';
}

func ExampleHeader() {
	archived := http.Header{"Location": {"/new"}, "X-Frame-Options": {"DENY"}}
	h := rewrite.Header(archived, rewrite.HeaderOptions{Base: "http://example.com/old", Resolve: resolve})
	fmt.Println(h.Get("Location"))
	fmt.Println(h.Get("X-Archive-Orig-X-Frame-Options"))
	// Output:
	// /web/20200101000000/http://example.com/new
	// DENY
}
