//go:build pins

// Package pins holds the module requirements until the packages that use them have landed.
package pins

import (
	_ "github.com/a-h/templ"
	_ "github.com/alecthomas/kong"
	_ "github.com/andybalholm/brotli"
	_ "github.com/chromedp/chromedp"
	_ "github.com/clipperhouse/uax29/v2/words"
	_ "github.com/dgraph-io/badger/v4"
	_ "github.com/elazarl/goproxy"
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/hashicorp/golang-lru/v2"
	_ "github.com/klauspost/compress/gzip"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/nlnwa/gowarc"
	_ "github.com/nlnwa/whatwg-url/url"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/sergi/go-diff/diffmatchpatch"
	_ "github.com/tdewolff/parse/v2/html"
	_ "github.com/vbauerster/mpb/v8"
	_ "github.com/zeebo/xxh3"
	_ "golang.org/x/net/html"
	_ "golang.org/x/net/html/charset"
	_ "golang.org/x/net/publicsuffix"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sync/singleflight"
	_ "golang.org/x/text/encoding"
	_ "golang.org/x/text/language"
	_ "gopkg.in/yaml.v3"
)
