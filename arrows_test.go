package varve_test

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/varve-archive/varve/"

// floors lists the packages of this module from the ground up. A package may import what stands on a lower floor, and nothing else:
// neither what is above it nor its neighbours on the same floor.
var floors = [][]string{
	{"internal/contenttype", "internal/percent", "internal/sentinel", "internal/sleep", "internal/tracing", "internal/xmltext"},
	{"internal/xhtml"},
	{
		"cdx/surt", "static", "banner/icon", "rewrite/ascii", "rewrite/mediatype", "rewrite/rendition", "rewrite/uses",
		"archive/index/kv", "archive/blobstore/s3",
		"archive/content/decoded", "archive/content/tokenize", "archive/content/office", "archive/content/pdf", "archive/search/trec",
		"archive/search/wordform", "archive/visual/model",
		"gather/politeness", "gather/robots", "gather/follow/policy",
		"internal/atom", "internal/chromium", "internal/descriptors",
		"internal/disk", "internal/filebuffer", "internal/inflight", "internal/packed", "internal/readiness", "internal/settle",
		"internal/best", "internal/plainname", "internal/spreadsheet", "internal/strict", "internal/weighted",
	},
	{"archive/content/data", "archive/content/syndication", "demo"},
	{"archive/content/hashing", "archive/content/filetext", "rewrite/reference"},
	{"archive/content/visible", "rewrite/charset"},
	{"archive/content/sketch", "rewrite/edit"},
	{"archive/change/site", "rewrite/header"},
	{
		"cdx", "archive/blobstore", "archive/fields", "archive/fuzzy", "archive/index/badger", "archive/index/postgres",
		"archive/search/query",
		"gather/jobs", "gather/runs", "gather/follow/status", "gather/crawl/browser", "gather/crawl/chunks",
		"gather/crawl/frontier", "internal/loadlimit", "archive/content/pdf/sandbox", "rewrite",
	},
	{
		"memento", "banner/locale", "archive/warc", "archive/access", "archive/change", "archive/index", "archive/catalogue",
		"archive/staging", "archive/backup", "archive/visual", "archive/fields/selector", "archive/fields/sidecar", "archive/search/history",
		"archive/search/suggest", "archive/search/language", "gather/crawl/frontier/local", "gather/crawl/frontier/redis", "gather/follow/feed",
		"internal/forward",
	},
	{
		"banner", "gather/follow/push", "archive/access/pywb", "archive/access/rulesfile", "archive/change/diff", "archive/ingest",
		"archive/ingest/upload", "archive/search",
		"archive/view", "archive/warc/remote", "archive/warc/unpack", "archive/warc/write", "gather/proxied",
	},
	{
		"archive/timeline", "replay/pages/layout", "archive/search/opensearch", "archive/search/rank", "gather/client",
	},
	{"archive/gallery", "archive/similar", "gather/fetch", "gather/notify", "gather/record"},
	{"archive/landing"},
	{"archive", "archive/search/answers", "gather/crawl", "gather/follow"},
	{"archive/export", "archive/provenance", "archive/requests", "archive/searches"},
	{"archive/duplicates", "archive/holdings", "archive/termtable"},
	{"archive/latest", "replay/pages/film", "replay/respond"},
	{"replay/engine", "replay/guard", "replay/metrics", "replay/pages/search", "replay/proxy", "replay/render"},
	{"replay/pages/ways", "replay/pages/versions"},
	{"replay/pages/addresses", "replay/pages/calendar"},
	{
		"replay/pages", "replay/pages/absent", "replay/pages/banners", "replay/pages/comparison", "replay/pages/crawls",
		"replay/pages/duplicates", "replay/pages/feed", "replay/pages/following", "replay/pages/home",
		"replay/pages/info", "replay/pages/inspect", "replay/pages/pictures", "replay/pages/recorder", "replay/pages/settings",
		"replay/pages/similar",
		"replay/pages/termtable", "replay/pages/uploads",
	},
	{"replay/pages/jobs"},
	{"replay"},
	{"cmd/varve/config", "cmd/varve/console", "cmd/varve/control"},
	{"cmd/varve/workspace"},
	{"cmd/varve/gathering", "cmd/varve/studio"},
	{"cmd/varve/server"},
	{"cmd/varve"},
}

// outside are packages that no product code may import: suites and helpers of tests, and programs that measure.
var outside = []string{
	"e2e", "e2e/screens", "cdx/cdxtest", "archive/archivetest", "archive/index/indextest", "archive/index/kvtest",
	"archive/content/office/officetest", "archive/search/searchtest", "archive/content/pdf/pdftest",
	"gather/crawl/frontier/frontiertest", "replay/replaytest",
	"internal/bulk", "internal/soak", "internal/testkit/",
}

// walls stand between the wings: what is in the one knows of the other only what "but" lists.
var walls = []struct{ wing, other, but string }{
	{"archive", "gather", ""},
	{"archive", "replay", ""},
	{"archive", "banner", ""},
	{"archive", "rewrite", ""},
	{"gather", "replay", ""},
	{"gather", "banner", ""},
	// archive/change and what it reads: who follows a page captures it once its content is another, by the rules by which readers see
	// a change.
	{"gather", "archive", "archive/warc archive/warc/write archive/fields archive/fields/sidecar archive/index/kv " +
		"archive/change archive/content/visible archive/content/sketch archive/content/filetext"},
	{"replay", "gather", "gather/jobs gather/runs gather/follow/status"},
	{"banner", "archive", ""},
	{"rewrite", "archive", ""},
	{"memento", "archive", ""},
	{"cdx", "archive", ""},
}

// hides are libraries that only these packages may import, so that nothing above knows which library was chosen.
var hides = map[string][]string{
	"github.com/dgraph-io/badger": {"archive/index/badger"},
	"github.com/jackc/pgx":        {"archive/index/postgres", "internal/testkit/database"},
	"github.com/minio/minio-go":   {"archive/blobstore/s3", "internal/testkit/s3test"},
	"github.com/redis/go-redis":   {"gather/crawl/frontier/redis"},
	"github.com/richardlehane":    {"archive/content/office"},
	"github.com/nlnwa/gowarc":     {"archive/warc", "archive/warc/write", "demo"},
	"github.com/elazarl/goproxy":  {"internal/forward"},
	"github.com/blevesearch": {
		"archive/search", "archive/search/language", "archive/search/suggest", "archive/search/wordform",
	},
	"github.com/wneessen/go-mail": {"gather/notify"},
	"github.com/mmcdole/gofeed":   {"gather/follow/feed"},
	"github.com/wlynxg/chardet":   {"archive/content/visible"},
	"github.com/chromedp": {
		"internal/chromium", "gather/crawl/browser", "internal/testkit/chromium", "internal/testkit/looks", "replay/render", "replay/replaytest",
	},
	"golang.org/x/image":           {"archive/visual"},
	"go.opentelemetry.io/otel/sdk": {"internal/tracing"},
}

func TestArrowsRunDownwardsOnly(t *testing.T) {
	floor := map[string]int{}
	for n, packages := range floors {
		for _, pkg := range packages {
			floor[pkg] = n
		}
	}
	for pkg, list := range importsOfOurs(t) {
		at, known := floor[pkg]
		if !known {
			if !isOutside(pkg) {
				t.Errorf("%s stands on no floor: give it a place in this list and in ARCHITECTURE.md", pkg)
			}
			continue
		}
		for _, other := range list {
			if below, ours := floor[other]; ours && below >= at {
				t.Errorf("%s may not import %s, which stands beside or above it", pkg, other)
			} else if isOutside(other) {
				t.Errorf("%s may not import %s, which is for tests", pkg, other)
			}
		}
	}
}

func isOutside(pkg string) bool {
	return slices.ContainsFunc(outside, func(o string) bool { return o == pkg || strings.HasSuffix(o, "/") && strings.HasPrefix(pkg, o) })
}

func TestWingsKnowLittleOfEachOther(t *testing.T) {
	for pkg, list := range importsOfOurs(t) {
		if isOutside(pkg) {
			continue
		}
		for _, wall := range walls {
			for _, other := range list {
				if inWing(pkg, wall.wing) && inWing(other, wall.other) && !slices.Contains(strings.Fields(wall.but), other) {
					t.Errorf("%s may not import %s: a wall stands between %s and %s", pkg, other, wall.wing, wall.other)
				}
			}
		}
	}
}

func inWing(pkg, wing string) bool { return pkg == wing || strings.HasPrefix(pkg, wing+"/") }

// Only one place lists and opens archived files, so that some day they can be elsewhere than in folders.
func TestArchivedFilesAreTouchedInOnePlace(t *testing.T) {
	touches := map[string]string{
		"archive/warc": "local", "archive/ingest": "", "archive/index": "", "archive/index/kv": "", "cdx": "", "cdx/surt": "",
	}
	for pkg, home := range touches {
		files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pkg, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || home != "" && strings.HasPrefix(filepath.Base(file), home) {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range tree.Imports {
				if slices.Contains([]string{`"os"`, `"io/ioutil"`, `"syscall"`, `"embed"`}, i.Path.Value) {
					t.Errorf("%s imports %s: what is archived is reached through warc.Storage", file, i.Path.Value)
				}
			}
		}
	}
}

// Only the commands that are for it ask the live web. A server answers from its archive alone.
func TestNothingThatServesReachesTheLiveWeb(t *testing.T) {
	imports := importsOfOurs(t)
	served := 0
	for pkg := range imports {
		top, _, _ := strings.Cut(pkg, "/")
		if !slices.Contains([]string{"replay", "archive", "memento", "rewrite"}, top) {
			continue
		}
		served++
		for other, path := range pathsFrom(pkg, imports) {
			if inWing(other, "gather") && other != "gather/jobs" && other != "gather/runs" && other != "gather/follow/status" {
				t.Errorf("%s reaches the live web: %s", pkg, strings.Join(path, " → "))
			}
		}
	}
	if served < 10 {
		t.Errorf("%d packages were looked at", served)
	}
}

func TestTheFloorsNameOnlyWhatThereIs(t *testing.T) {
	imports := importsOfOurs(t)
	for _, pkg := range slices.Concat(slices.Concat(floors...), outside) {
		if _, ok := imports[pkg]; !ok && !strings.HasSuffix(pkg, "/") {
			t.Errorf("%s has a place and is not in the module", pkg)
		}
	}
}

func TestLibrariesStayHiddenInTheirPackage(t *testing.T) {
	for pkg, list := range importsOfOurs(t) {
		for _, path := range list {
			for library, homes := range hides {
				if strings.HasPrefix(path, library) && !slices.Contains(homes, pkg) {
					t.Errorf("%s imports %s, which only %s may", pkg, path, strings.Join(homes, " and "))
				}
			}
		}
	}
}

// importsOfOurs returns what each package of this module imports, without its tests. The module's own packages are
// named without the module's path.
func importsOfOurs(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
		for i, path := range p.Imports {
			p.Imports[i] = strings.TrimPrefix(path, module)
		}
		if name, ours := strings.CutPrefix(p.ImportPath, module); ours {
			found[name] = p.Imports
		}
	}
}

// pathsFrom returns the shortest chain of imports from pkg to every package of this module that it needs.
func pathsFrom(pkg string, imports map[string][]string) map[string][]string {
	paths := map[string][]string{}
	for queue := [][]string{{pkg}}; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		for _, next := range imports[path[len(path)-1]] {
			if _, ours := imports[next]; !ours || next == pkg || paths[next] != nil {
				continue
			}
			paths[next] = append(slices.Clone(path), next)
			queue = append(queue, paths[next])
		}
	}
	return paths
}
