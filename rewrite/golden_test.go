package rewrite

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/golden"
	"github.com/varve-archive/varve/rewrite/uses"
)

// archive answers like an archive that captured everything on 1 January 2020.
func archive(refs []uses.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		if !strings.HasPrefix(r.URI, "http://archive.test/") {
			out[i] = "http://archive.test/web/20200101000000" + r.Use.String() + "/" + r.URI
		}
	}
	return out
}

// nothing leaves every URI as it is.
func nothing(refs []uses.Ref) []string { return make([]string, len(refs)) }

type rewriter func(io.Writer, io.Reader, Options) error

func run(t testing.TB, f rewriter, in string, o Options) string {
	t.Helper()
	if o.Resolve == nil {
		o.Resolve = archive
	}
	if o.Base == "" {
		o.Base = "http://example.com/dir/page.html"
	}
	var out bytes.Buffer
	if err := f(&out, strings.NewReader(in), o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	rewriters := map[string]rewriter{
		".html": HTML, ".css": CSS, ".js": JS, ".json": JSON, ".webmanifest": Manifest,
		".xml": XML, ".svg": XML, ".xsl": XML, ".m3u8": HLS, ".mpd": DASH,
	}
	inputs, err := filepath.Glob("testdata/*.in.*")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs in testdata: %v", err)
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), filepath.Ext(input))
		t.Run(name, func(t *testing.T) {
			in, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			var o Options
			if strings.Contains(name, "client") {
				o.JS = true
				o.Head = []byte("<script src=\"/client.js\"></script>")
				o.Banner = []byte("<varve-banner>2 › 3</varve-banner>")
				o.FramesetBanner = func() []byte { return []byte("<noframes>2 › 3</noframes>") }
			}
			if strings.Contains(name, "module") {
				o.Use = uses.Module
			}
			got := run(t, rewriters[filepath.Ext(input)], string(in), o)
			golden.Check(t, strings.Replace(input, ".in.", ".golden.", 1), got)
		})
	}
}
