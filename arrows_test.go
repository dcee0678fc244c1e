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

// index is what the index needs; archive is what questions about captures need in addition.
var (
	index   = []string{"cdx/index", "cdx/index/store", "cdx", "cdx/surt", "internal/disk", "internal/weighted"}
	archive = append([]string{
		"access", "archive/catalogue", "archive/meaning", "archive/shards", "archive/spool", "depot", "depot/s3",
		"fields", "search", "search/history", "search/leaf", "search/query", "search/rank", "search/suggest",
		"internal/packed", "internal/strict",
		"memento", "change", "change/diff", "change/office", "change/word", "warc", "internal/descriptors",
	}, index...)
)

// reaches lists, for each package, the packages of this module that it may need, directly or through others. Arrows run
// downwards only, and packages on one level don't know each other (ARCHITECTURE.md, "Packages").
var reaches = map[string][]string{
	"cdx/surt":            {},
	"cdx":                 {"cdx/surt"},
	"cdx/cdxtest":         {"cdx", "cdx/surt"},
	"cdx/index/store":     {},
	"cdx/index/badger":    {"cdx/index/store", "internal/descriptors", "internal/disk"},
	"cdx/index/postgres":  {"cdx/index/store", "cdx/index/distant"},
	"cdx/index/distant":   {"cdx/index/store"},
	"cdx/index":           {"cdx/index/store", "cdx", "cdx/surt"},
	"cdx/index/storetest": {"cdx/index/store"}, // tests only
	"cdx/index/indextest": {"internal/descriptors", "cdx/index", "cdx/index/badger", "cdx/index/store", "cdx", "cdx/surt", "internal/disk"},

	"internal/bulk":        {"warc", "internal/descriptors", "cdx", "cdx/surt"}, // for measuring only
	"internal/soak":        {},                                                  // for measuring only
	"internal/chromium":    {},                                                  // tests only
	"internal/corpora":     {},                                                  // tests only
	"internal/crowd":       {"internal/descriptors"},
	"internal/forward":     {"internal/crowd", "internal/descriptors"},
	"internal/database":    {}, // tests only
	"internal/descriptors": {},
	"internal/growth":      {}, // tests only
	"internal/packed":      {},
	"internal/redistest":   {}, // tests only
	"internal/s3test":      {}, // tests only
	"internal/invented":    {}, // tests only
	"internal/disk":        {},
	"internal/spill":       {},
	"internal/strict":      {},
	"internal/weighted":    {},

	"access":                   {"cdx", "cdx/surt", "internal/strict"},
	"memento":                  {"cdx", "cdx/surt"},
	"rewrite":                  {},
	"rewrite/rendition":        {},
	"banner":                   {"banner/text", "cdx", "cdx/surt"},
	"banner/text":              {"cdx", "cdx/surt"},
	"change":                   {"change/word", "cdx", "cdx/surt"},
	"change/diff":              {"change", "change/word", "cdx", "cdx/surt"},
	"change/office":            {},
	"change/office/officetest": {}, // tests only
	"change/pdf":               {},
	"change/pdf/pdftest":       {}, // tests only
	"change/word":              {},
	"warc":                     {"cdx", "cdx/surt", "internal/descriptors"},
	"warc/remote":              {"depot/s3", "warc", "internal/disk", "internal/weighted", "internal/descriptors", "cdx", "cdx/surt"},
	"warc/unpack":              {"depot", "depot/s3", "internal/disk", "warc", "cdx", "cdx/surt", "internal/descriptors"},
	"warc/write":               {"warc", "cdx", "cdx/surt", "internal/descriptors", "internal/disk", "internal/spill"},
	"live":                     {"warc", "cdx", "cdx/surt", "internal/descriptors", "internal/spill"},
	"runs":                     {"internal/disk"},
	"crawl": {
		"runs", "crawl/browser", "crawl/frontier", "record", "live", "live/manners", "live/robots", "warc/write", "warc", "rewrite", "fields",
		"fields/beside", "cdx", "cdx/surt",
		"internal/crowd", "internal/descriptors", "internal/disk", "internal/forward", "internal/spill", "internal/strict",
	},
	"crawl/browser":               {"internal/disk"},
	"crawl/frontier":              {"live/manners"},
	"crawl/frontier/frontiertest": {"crawl/frontier", "live/manners"}, // tests only
	"crawl/frontier/local":        {"crawl/frontier", "live/manners", "cdx/index/store"},
	"crawl/frontier/redis":        {"crawl/frontier", "live/manners"},
	"fetch": {
		"live", "live/manners", "warc/write", "warc", "rewrite", "memento", "cdx", "cdx/surt",
		"internal/descriptors", "internal/disk", "internal/spill",
	},
	"record": {
		"live", "warc/write", "warc", "cdx", "cdx/surt",
		"internal/crowd", "internal/descriptors", "internal/disk", "internal/forward", "internal/spill",
	},
	"live/manners": {},
	"live/robots":  {},
	"static":       {},
	"demo":         {},

	"fields":        {"cdx/surt"},
	"fields/pick":   {"fields", "cdx/surt"},
	"fields/beside": {"fields", "cdx/surt", "internal/disk", "internal/strict"},

	"search":         {"fields", "search/history", "search/leaf", "change/word", "cdx", "cdx/surt", "internal/disk", "internal/packed"},
	"search/history": {"change/word", "cdx", "cdx/surt", "internal/packed"},
	"search/leaf":    {"internal/packed"},
	"search/query":   {"change/word"},
	"search/suggest": {"search/query", "change/word"},
	"search/trec":    {},
	"search/rank": {
		"search", "fields", "search/history", "search/leaf", "search/query", "change/word", "cdx", "cdx/surt", "internal/disk",
		"internal/packed",
	},

	"ingest": {"change", "change/office", "change/word", "warc", "internal/descriptors", "cdx/index", "cdx/index/store", "cdx", "cdx/surt"},

	"archive":           archive,
	"archive/catalogue": {"cdx", "cdx/surt", "internal/packed"},
	"archive/meaning":   {"cdx/surt"},
	"archive/shards": append([]string{
		"search", "search/history", "search/leaf", "fields", "change/word", "internal/packed", "depot", "depot/s3",
	}, index...),
	"archive/spool": {"cdx", "cdx/surt", "internal/disk"},
	"archive/archivetest": append([]string{
		"ingest", "change", "change/office", "change/word", "warc", "internal/descriptors", "cdx/index/indextest",
		"cdx/index/storetest", "cdx/index/badger",
	}, index...), // tests only

	"intake":   {"warc", "internal/descriptors", "internal/disk", "cdx", "cdx/surt"},
	"depot":    {"depot/s3", "internal/disk"},
	"depot/s3": {},

	"backup": {"depot", "depot/s3", "internal/disk"},
	"pywb":   {"access", "cdx", "cdx/surt", "internal/strict"},
	"export": append([]string{"archive"}, archive...),

	"replay/replaytest": append([]string{
		"replay/inspect", "fields/pick",
		"export", "intake", "runs", "replay", "replay/crawls", "replay/guard", "replay/answer", "replay/page", "replay/find",
		"replay/proxy", "replay/upload", "replay/web", "archive",
		"ingest", "rewrite",
		"rewrite/rendition", "banner", "banner/text", "static",
		"demo", "cdx/index/indextest", "cdx/index/badger", "internal/chromium", "internal/corpora", "internal/crowd", "internal/forward",
	}, archive...), // tests only
	"replay/web": append([]string{"archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static"}, archive...),
	"replay/answer": append([]string{
		"fields/pick", "replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static",
	}, archive...),
	"replay/find": append([]string{"replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static"}, archive...),
	"replay/page": append([]string{
		"export", "replay/find", "replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static",
	}, archive...),
	"replay/inspect": append([]string{
		"fields/pick", "replay/find", "replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static",
	}, archive...),
	"replay/guard": append([]string{"replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static"}, archive...),
	"replay/crawls": append([]string{
		"runs", "replay/guard", "replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static",
	}, archive...),
	"replay/upload": append([]string{
		"intake", "replay/guard", "replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static",
	}, archive...),
	"replay/proxy": append([]string{
		"internal/crowd", "internal/forward", "replay/web", "archive", "rewrite", "rewrite/rendition", "banner", "banner/text", "static",
	}, archive...),
	"replay": append([]string{
		"replay/inspect", "fields/pick",
		"export", "intake", "runs", "replay/answer", "replay/crawls", "replay/guard", "replay/page", "replay/find", "replay/proxy",
		"replay/upload", "replay/web", "archive", "rewrite",
		"rewrite/rendition", "banner", "banner/text", "static", "internal/crowd", "internal/forward",
	}, archive...),

	"e2e":         {}, // tests only, from outside
	"e2e/screens": {}, // tests only

	"cmd/varve": append([]string{
		"replay/inspect", "fields/pick",
		"export", "backup", "pywb",
		"intake", "replay", "replay/answer", "replay/crawls", "replay/guard", "replay/page", "replay/find", "replay/proxy", "replay/upload",
		"replay/web", "archive", "ingest",
		"rewrite",
		"rewrite/rendition", "banner", "banner/text", "static",
		"demo", "change/pdf", "warc/unpack", "warc/remote", "depot", "depot/s3", "internal/crowd", "internal/forward", "search/trec",
		"crawl", "crawl/browser", "crawl/frontier", "crawl/frontier/local", "crawl/frontier/redis", "fields/beside", "runs",
		"live", "live/manners", "live/robots", "fetch", "record", "warc/write", "internal/spill",
		"cdx/index/badger", "cdx/index/distant", "cdx/index/postgres",
	}, archive...),
}

// hides are libraries that only these packages may import, so that nothing above knows which library was chosen.
var hides = map[string][]string{
	"github.com/dgraph-io/badger": {"cdx/index/badger"},
	"github.com/jackc/pgx":        {"cdx/index/postgres", "internal/database"},
	"github.com/minio/minio-go":   {"depot/s3", "internal/s3test"},
	"github.com/redis/go-redis":   {"crawl/frontier/redis"},
	"github.com/nlnwa/gowarc":     {"warc", "warc/write", "demo"},
	"github.com/elazarl/goproxy":  {"internal/forward"},
	"github.com/blevesearch":      {"search", "search/leaf", "search/suggest"},
	"github.com/chromedp":         {"crawl/browser", "internal/chromium", "replay/replaytest"},
}

func TestArrowsRunDownwardsOnly(t *testing.T) {
	imports := importsOfOurs(t)
	for pkg := range imports {
		allowed, known := reaches[pkg]
		if !known {
			t.Errorf("%s has no place in the house: give it a line in this table and in ARCHITECTURE.md", pkg)
			continue
		}
		for other, path := range pathsFrom(pkg, imports) {
			if !slices.Contains(allowed, other) {
				t.Errorf("%s may not need %s: %s", pkg, other, strings.Join(path, " → "))
			}
		}
	}
}

// Only one place lists and opens archived files, so that some day they can be elsewhere than in folders.
func TestArchivedFilesAreTouchedInOnePlace(t *testing.T) {
	touches := map[string]string{"warc": "local", "ingest": "", "cdx": "", "cdx/surt": "", "cdx/index": "", "cdx/index/store": ""}
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
		if !slices.Contains([]string{"replay", "archive", "export", "ingest", "search", "intake", "memento", "rewrite"}, top) {
			continue
		}
		served++
		for other, path := range pathsFrom(pkg, imports) {
			if top, _, _ := strings.Cut(other, "/"); slices.Contains([]string{"live", "crawl", "fetch", "record"}, top) {
				t.Errorf("%s reaches the live web: %s", pkg, strings.Join(path, " → "))
			}
		}
	}
	if served < 10 {
		t.Errorf("%d packages were looked at", served)
	}
}

func TestTheTableOfArrowsNamesOnlyWhatThereIs(t *testing.T) {
	imports := importsOfOurs(t)
	for pkg := range reaches {
		if _, ok := imports[pkg]; !ok {
			t.Errorf("%s is in the table and not in the module", pkg)
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
