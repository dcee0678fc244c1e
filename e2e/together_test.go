package e2e

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/internal/testkit/database"
	"github.com/varve-archive/varve/internal/testkit/redistest"
	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// composed returns the commands by which docs/deploy/compose.yaml starts varve, by service.
func composed(t *testing.T) map[string][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "docs", "deploy", "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct {
			Build   any
			Command any
		}
	}
	if err := yaml.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	commands := map[string][]string{}
	for name, s := range file.Services {
		list, ok := s.Command.([]any)
		if s.Build == nil || !ok {
			continue
		}
		for _, word := range list {
			commands[name] = append(commands[name], word.(string))
		}
	}
	return commands
}

// What the Compose file starts works together as processes on this machine, though without OpenSearch: servers show what indexers find in
// the bucket and what crawlers bring, and go on when one of each has died.
func TestAllThatComposeStartsTogether(t *testing.T) {
	commands := composed(t)
	storage := s3test.Memory(t).Make("crawls")
	storage.Put("crawls", "a.warc.gz", databaseArchive())
	t.Setenv("VARVE_INDEX", database.Start(t).Database())
	t.Setenv("VARVE_S3_ENDPOINT", storage.URL)
	t.Setenv("VARVE_FRONTIER", redistest.Start(t).URL())
	dead := func(service string) *server {
		s, err := launch(filepath.Join(t.TempDir(), "data"), commands[service]...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.cmd.Process.Kill() })
		return s
	}
	first, victim, doomed := start(t, commands["server"]...), dead("server"), dead("indexer")
	start(t, commands["indexer"]...)
	page := "/web/20060601000000id_/http://page.example/other"
	shows := func(target, word string) func() bool {
		return func() bool {
			a := first.get(t, target)
			return a.status == 200 && strings.Contains(a.body, word)
		}
	}
	eventually(t, "a server shows what an indexer found", shows(page, "Written in 2006"))
	_, _ = victim.cmd.Process.Kill(), doomed.cmd.Process.Kill()

	maze := newLabyrinth(t, 60, 0)
	crawl := commands["crawler"][1:] // behind the name of the command
	crawl[len(crawl)-1] = maze.file(t)
	data := func() []string { return append([]string{"--data", filepath.Join(t.TempDir(), "data")}, crawl...) }
	one, two := startCrawl(t, data()...), startCrawl(t, data()...)
	for _, c := range []*crawling{one, two} {
		if r := c.wait(t); r.State != "completed" {
			t.Errorf("a crawler: %+v", r)
		}
	}
	eventually(t, "a server shows what crawlers brought", shows("/web/timemap/link/"+maze.URL+"/list0", url.PathEscape("list0")))
	eventually(t, "a search finds what an indexer found", shows("/web/search?q=written&output=json", "page.example"))
	if !shows(page, "Written in 2006")() {
		t.Error("what was shown before isn't any more")
	}
}
