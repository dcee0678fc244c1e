package server

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/control"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// TestMain is also the program that a server starts beside it to run crawls.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "crawl" {
		if input, err := os.Stdin.Stat(); err == nil && input.Mode()&os.ModeNamedPipe != 0 {
			fmt.Fprintf(os.Stderr, "runs crawls: %s with %s\n", os.Args[1:], os.Getenv("VARVE_CACHE_SIZE"))
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Fprintln(os.Stderr, "runs crawls no more")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A transcript is what a server says.
type transcript struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (s *transcript) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(b)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// A running server.
type running struct {
	url, data string
	said      *transcript
	stop      func()
}

// run starts a server of a data folder, and waits until it is ready.
func run(t *testing.T, data string, c Config, readOnly bool) *running {
	t.Helper()
	r := &running{data: data, said: &transcript{}}
	collections, err := (*config.File)(nil).Collections()
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.New(&console.Console{Stdout: r.said, Stderr: r.said},
		workspace.Settings{Folder: workspace.Folder{Data: data}, Collection: "web", CacheSize: 1}, collections)
	if err != nil {
		t.Fatal(err)
	}
	w.ReadOnly = readOnly
	listens, ended := make(chan string, 1), make(chan error, 1)
	c.Started, c.Listen, c.UploadLimit = func(url string) { listens <- url }, "127.0.0.1:0", 1<<20
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	go func() { ended <- Run(ctx, w, c) }()
	select {
	case url := <-listens:
		r.url = strings.TrimSuffix(url, "/")
	case err := <-ended:
		t.Fatalf("it ended: %v\n%s", err, r.said)
	}
	r.stop = sync.OnceFunc(func() {
		end()
		if err := <-ended; err != nil {
			t.Errorf("it ended: %v\n%s", err, r.said)
		}
	})
	t.Cleanup(r.stop)
	r.becomes(t, ask{"/-/readyz", "", 200, "ready"})
	return r
}

// An ask is a question to a server, and its answer.
type ask struct {
	path, form string // with a form it is a POST
	status     int
	has        string // in the answer
}

// becomes waits until a server answers so.
func (r *running) becomes(t *testing.T, a ask) {
	t.Helper()
	eventually(t, func() string {
		method := "GET"
		if a.form != "" {
			method = "POST"
		}
		if status, answer, _ := r.ask(t, http.DefaultTransport, method, r.url+a.path, a.form); status != a.status ||
			!strings.Contains(answer, a.has) {
			return fmt.Sprintf("want %+v, got %d %s\n%s", a, status, answer, r.said)
		}
		return ""
	})
}

// ask returns what a server answers.
func (r *running) ask(t *testing.T, by http.RoundTripper, method, at, body string) (status int, answer string, head http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, at, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == "POST" && strings.Contains(body, "=") && !strings.HasPrefix(body, "WARC") {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := by.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(got), resp.Header
}

// says waits until a server has said something.
func (r *running) says(t *testing.T, words ...string) {
	t.Helper()
	for _, w := range words {
		eventually(t, func() string {
			if said := r.said.String(); !strings.Contains(said, w) {
				return "it doesn't say " + w + "\n" + said
			}
			return ""
		})
	}
}

// eventually waits until nothing is wrong.
func eventually(t *testing.T, wrong func() string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		why := wrong()
		if why == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatal(why)
		}
	}
}

// put writes a file, and the folders above it.
func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, content, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// within returns the files in a folder, with their sizes.
func within(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		all[path] = info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const (
	river  = "http://river.example/"
	hidden = "http://river.example/hidden"
)

// record returns a file with one page.
func record(t *testing.T, uri, text string) []byte {
	return archivetest.WARC(t, archivetest.On("2016", uri, "<title>Page</title><p>"+text))
}

// gz compresses a file as a whole, so that its records can't be read one by one.
func gz(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// warcs is a folder with one file: a page in two versions and a metadata record.
func warcs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "river.warc"), archivetest.WARC(t,
		archivetest.On("2015", river, "<title>River</title><p>It flows past meadows."),
		archivetest.On("2016", river, "<title>River</title><p>It flows past harbours."),
		archivetest.On("2016", hidden, "<p>A hidden spring."),
		archivetest.Record{Type: "metadata", Date: "2016", URI: "urn:notes:river", Fields: "Content-Type: text/plain\n", Block: "a note"},
	))
	return dir
}

// rules is a file of access rules.
func rules(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rules.yaml")
	put(t, path, []byte("rules:\n- {url: \""+hidden+"\", access: exclude}\n"))
	return path
}

// What a server does follows from its flags and from who can reach it.
func TestWhatAServerAnswers(t *testing.T) {
	yes, no := true, false
	files := []Place{{Coll: "web", Paths: []string{warcs(t)}}}
	local := "file=" + url.QueryEscape("name: local\nallow_private: true\nseeds: [http://127.0.0.1:1/]\n")
	const note = "/web/cdx?url=urn:notes:river"
	for name, tt := range map[string]struct {
		config Config
		shares bool // lets other sites read archived pages
		says   []string
		asks   []ask
	}{
		"for its own machine": {
			config: Config{Places: files, Flags: Flags{Search: true, Access: rules(t)}},
			asks: []ask{
				{"/web/20150101000000/" + river, "", 200, "past meadows"},
				{"/web/20160101000000/" + hidden, "", 404, ""},
				{"/web/search?q=harbours", "", 200, river},
				{"/-/uploads", "", 200, ""},
				{"/-/crawls", "", 200, ""},
				{"/-/settings", "", 200, ""},
				{note, "", 200, ""},
				{"/-/jobs", local, 201, "local"},
			},
		},
		"for others": {
			shares: true,
			config: Config{Places: files, Metadata: true, Flags: Flags{PublicURL: "https://varve.example/"}},
			asks: []ask{
				{"/web/20160101000000/" + hidden, "", 200, "hidden spring"},
				{"/web/search?q=harbours", "", 404, ""},
				{"/-/uploads", "", 403, "--uploads"},
				{"/-/crawls", "", 403, "--crawls"},
				{"/-/settings", "part=templates", 403, "--crawls"},
				{note, "", 200, "urn:notes:river"},
			},
		},
		"for others, who may": {
			shares: true,
			config: Config{Places: files, Flags: Flags{PublicURL: "https://varve.example/", Uploads: &yes, Crawls: &yes}},
			says:   []string{"runs crawls: [crawl --wait --beside] with 1\n"},
			asks: []ask{
				{"/-/uploads", "", 200, ""},
				{"/-/crawls", "", 200, ""},
				{"/-/jobs", local, 400, "public Internet"},
			},
		},
		"for its own machine, which may not": {
			config: Config{Places: []Place{{Coll: "empty"}}, Flags: Flags{Uploads: &no, Crawls: &no}},
			asks:   []ask{{"/-/uploads", "", 403, ""}, {"/-/crawls", "", 403, ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, filepath.Join(t.TempDir(), "data"), tt.config, false)
			for _, a := range tt.asks {
				r.becomes(t, a)
			}
			r.says(t, tt.says...)
			_, _, head := r.ask(t, http.DefaultTransport, "GET", r.url+"/web/20150101000000id_/"+river, "")
			if shared := head.Get("Access-Control-Allow-Origin") == "*"; shared != tt.shares {
				t.Errorf("it shares pages with other sites: %t", shared)
			}
			r.stop()
			said := r.said.String()
			if strings.Contains(said, "runs crawls:") != strings.Contains(said, "runs crawls no more") {
				t.Errorf("what runs crawls did not end by itself:\n%s", said)
			}
			for line := range strings.Lines(said) {
				if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
					t.Errorf("nothing is wrong, and it says %s", line)
				}
			}
		})
	}
}

// A server that only reads serves what was indexed, by the rules, and leaves its folder as it is.
func TestAServerThatOnlyReads(t *testing.T) {
	t.Parallel()
	yes, data, dir := true, filepath.Join(t.TempDir(), "data"), warcs(t)
	files := []Place{{Coll: "web", Paths: []string{dir}}}
	flags := Flags{Search: true, Access: rules(t), Uploads: &yes, Crawls: &yes}
	first := run(t, data, Config{Places: files, Flags: Flags{Search: true, Access: flags.Access}}, false)
	first.becomes(t, ask{"/web/search?q=harbours", "", 200, river})
	first.stop()
	if err := os.Remove(filepath.Join(data, "takedowns.jsonl")); err != nil { // else there is nothing to write into it
		t.Fatal(err)
	}
	put(t, filepath.Join(data, "area-1.tmp"), nil) // of another process
	lacks := "collection web: the search does not have all that is indexed"
	for _, more := range []string{"", "more.warc"} {
		if more != "" {
			flags.Uploads = nil
			put(t, filepath.Join(dir, more), record(t, river+"more", "More of it."))
			run(t, data, Config{Places: files}, false).stop()
		}
		put(t, filepath.Join(dir, "new.warc"), record(t, river+"new", "New."))
		before := within(t, data)
		r := run(t, data, Config{Places: files, Flags: flags}, true)
		for _, a := range []ask{
			{"/web/20160101000000/" + river, "", 200, "past harbours"},
			{"/web/20160101000000/" + hidden, "", 404, ""},
			{"/web/20160101000000/" + river + "new", "", 404, ""},
			{"/-/uploads", "", 403, ""},
			{"/web/search?q=harbours", "", 200, river},
		} {
			r.becomes(t, a)
		}
		r.says(t, "--read-only: what is indexed is served")
		r.stop()
		if said := r.said.String(); strings.Contains(said, lacks) != (more != "") || strings.Contains(said, "runs crawls") ||
			strings.Contains(said, "--uploads: this server writes nothing") != (more == "") {
			t.Errorf("after %q it says:\n%s", more, said)
		}
		if after := within(t, data); !maps.Equal(before, after) {
			t.Errorf("in the folder there was %v, and is %v", before, after)
		}
		if err := os.Remove(filepath.Join(dir, "new.warc")); err != nil {
			t.Fatal(err)
		}
	}
}

// Files that readers hand in are in the index, once, under names that differ; what is wrong with them is told.
func TestFilesThatAreHandedIn(t *testing.T) {
	t.Parallel()
	dir := warcs(t)
	r := run(t, filepath.Join(t.TempDir(), "data"), Config{Places: []Place{{Coll: "web", Paths: []string{dir}}}}, false)
	one := string(record(t, river+"one", "One."))
	for _, tt := range []struct{ name, content, has string }{
		{"one.warc", one, `"stored":"one.warc"`},
		{"two.warc", one, `"same_as":"one.warc"`},
		{"RIVER.warc", string(record(t, river+"two", "Two.")), `"stored":"RIVER-2.warc"`},
		{"whole.warc.gz", gz(t, one+string(record(t, river+"four", "Four."))), `"state":"refused"`},
		{"cut.warc", string(record(t, river+"three", "Three.")) + one[:90], `"damaged":1,"problems":[{"offset":`},
		{"long.warc", string(record(t, river+"six", "Six.")) + string(record(t, river+"seven", "Seven.")), `"captures":2`},
		{"cut.wacz", zipped(t, "archive/within.warc", string(record(t, river+"five", "Five."))+one[:90]), `"problems":[{"member":"within.warc"`},
	} {
		status, answer, head := r.ask(t, http.DefaultTransport, "POST", r.url+"/-/uploads?name="+tt.name, tt.content)
		if status != 202 {
			t.Fatalf("%s: %d %s", tt.name, status, answer)
		}
		r.becomes(t, ask{head.Get("Location"), "", 200, `"done":true`})
		r.becomes(t, ask{head.Get("Location"), "", 200, tt.has})
	}
	r.becomes(t, ask{"/web/20160101000000/" + river + "three", "", 200, "Three."})
	if said := r.said.String(); !strings.Contains(said, "cut.warc") || !strings.Contains(said, "cut.wacz") {
		t.Errorf("what is wrong with files isn't said: %s", said)
	}
	if got := slices.Sorted(maps.Keys(within(t, dir))); len(got) != 6 {
		t.Errorf("in the folder there is %q", got)
	}
}

// zipped returns a WACZ with one WARC file.
func zipped(t *testing.T, name, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for of, text := range map[string]string{name: content, "datapackage.json": `{"profile":"data-package","resources":[]}`} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: of, Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Commands hand files to the server that has the index, and read it through that server.
func TestCommandsOfOthers(t *testing.T) {
	t.Parallel()
	dir, other := warcs(t), t.TempDir()
	ran := func(_ context.Context, w *workspace.Workspace, o control.Order) int {
		fmt.Fprintf(w.Stdout, "%s of %s, read only: %t", o.Command, w.Collection, w.ReadOnly)
		return 7
	}
	r := run(t, filepath.Join(t.TempDir(), "data"), Config{Places: []Place{{Coll: "web", Paths: []string{dir}}}, Answer: ran}, false)
	commands := control.Client{Data: r.data}
	watched, elsewhere := filepath.Join(dir, "new.warc"), filepath.Join(other, "new.warc")
	put(t, watched, record(t, river+"watched", "Watched."))
	put(t, elsewhere, record(t, river+"elsewhere", "Elsewhere."))
	for _, tt := range []struct {
		coll, file, said string
		fails            bool
	}{
		{"web", watched, "the server has indexed 1 file", false},
		{"web", watched, "", false},
		{"web", elsewhere, "indexed 1 capture from 1 file (0.0 MB)", false},
		{"No Name", elsewhere, "", true},
	} {
		if got, err := commands.Index(t.Context(), tt.coll, []string{tt.file}); got.Message != tt.said || (err != nil) != tt.fails {
			t.Errorf("%s of %s: %q, %v", tt.file, tt.coll, got.Message, err)
		}
	}
	r.becomes(t, ask{"/web/20160101000000/" + river + "elsewhere", "", 200, "Elsewhere."})
	var said bytes.Buffer
	exit, err := commands.Run(t.Context(), control.Order{Command: "cdx", Collection: "news"}, &said, io.Discard)
	if err != nil || exit != 7 || said.String() != "cdx of news, read only: true" {
		t.Errorf("%d, %v: %s", exit, err, &said)
	}
}

// The proxy has the web at its addresses, as the server's collection has it at the datetime of the flag.
func TestTheProxyOfAServer(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	put(t, filepath.Join(other, "a.warc"), record(t, river, "Of another collection."))
	files := []Place{{Coll: "another", Paths: []string{other}}, {Coll: "web", Paths: []string{warcs(t)}}}
	for _, tt := range []struct {
		flags Flags
		links string // where its links lead
	}{
		{Flags{ProxyBanner: true}, ""},
		{Flags{PublicURL: "https://varve.example"}, "https://varve.example"},
	} {
		tt.flags.Proxy, tt.flags.ProxyDatetime = "127.0.0.1:0", "2015"
		r := run(t, filepath.Join(t.TempDir(), "data"), Config{Places: files, Flags: tt.flags}, false)
		_, after, _ := strings.Cut(r.said.String(), "varve: proxy on ")
		at, _, _ := strings.Cut(after, "/\n")
		proxy, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		by := &http.Transport{Proxy: http.ProxyURL(proxy)}
		defer by.CloseIdleConnections()
		status, answer, head := r.ask(t, by, "GET", river, "")
		if status != 200 || !strings.Contains(answer, "past meadows") || strings.Contains(answer, "varve-banner") != tt.flags.ProxyBanner {
			t.Errorf("%+v: %d %s", tt.flags, status, answer)
		}
		if link, want := head.Get("Link"), "<"+tt.links; !strings.Contains(link, want+"/web/timemap/link/"+river) &&
			!strings.Contains(link, "<"+r.url+"/web/timemap/link/"+river) || tt.links != "" && !strings.Contains(link, want) {
			t.Errorf("%+v: links %s", tt.flags, link)
		}
	}
}

// An installation of pywb is served with its index lines and rules, as they change, and nothing is written there.
func TestAPywbInstallation(t *testing.T) {
	t.Parallel()
	dir, content := t.TempDir(), warcs(t)
	of := run(t, filepath.Join(t.TempDir(), "data"), Config{Places: []Place{{Coll: "web", Paths: []string{content}}}}, false)
	_, lines, _ := of.ask(t, http.DefaultTransport, "GET", of.url+"/web/cdx?url=river.example&matchType=domain&output=cdxj", "")
	file, err := os.ReadFile(filepath.Join(content, "river.warc"))
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "collections", "river")
	list := filepath.Join(home, "acl", "list.aclj")
	put(t, filepath.Join(home, "archive", "river.warc"), file)
	put(t, filepath.Join(home, "indexes", "index.cdxj"), []byte(lines))
	put(t, filepath.Join(home, "metadata.yaml"), []byte("title: The River\ndescription: all of it\n"))
	put(t, list, []byte("example,river)/hidden - {\"access\": \"exclude\"}\n"))
	put(t, filepath.Join(dir, "hills.cdxj"), []byte(lines))
	put(t, filepath.Join(dir, "paths"), []byte("river.warc\t"+filepath.Join(content, "river.warc")+"\n"))
	put(t, filepath.Join(dir, "config.yaml"),
		[]byte("framed_replay: true\ncollections: {hills: {index_paths: hills.cdxj, archive_paths: paths}}\n"))
	before := within(t, dir)
	r := run(t, filepath.Join(t.TempDir(), "data"), Config{Pywb: dir}, false)
	r.says(t, "not taken over from pywb: ", "collection river: 1 access rule is in force", "collection river: took over 3 index lines")
	for _, a := range []ask{
		{"/river/20150101000000/" + river, "", 200, "past meadows"},
		{"/river/20160101000000/" + hidden, "", 404, ""},
		{"/river/", "", 200, "<h1>Collection The River</h1>"},
		{"/river/changes/" + river, "", 200, `"kind":"page"`},
		{"/hills/20150101000000/" + river, "", 200, "past meadows"},
		{"/hills/changes/" + river, "", 200, `"kind":"page"`},
	} {
		r.becomes(t, a)
	}
	fresh := string(record(t, river+"new", "New."))
	status, answer, head := r.ask(t, http.DefaultTransport, "POST", r.url+"/-/uploads?name=a.warc&collection=river", fresh)
	if status != 202 {
		t.Fatal(status, answer)
	}
	r.becomes(t, ask{head.Get("Location"), "", 200, `"done":true`})
	if after := within(t, dir); !maps.Equal(before, after) {
		t.Errorf("in the installation there was %v, and is %v", before, after)
	}
	put(t, list, []byte("example,river)/ - {\"access\": \"block\"}\n"))
	r.becomes(t, ask{"/river/20150101000000/" + river, "", 451, ""})
	put(t, list, []byte("example,river)/ - {\"access\": \"perhaps\"}\n"))
	r.says(t, "pywb's installation has changed", "perhaps")
	r.becomes(t, ask{"/river/20150101000000/" + river, "", 451, ""})
	if err := os.Remove(list); err != nil {
		t.Fatal(err)
	}
	r.becomes(t, ask{"/river/20160101000000/" + hidden, "", 200, "hidden spring"})
	r.stop()
	if n := strings.Count(r.said.String(), "access rules of pywb are in force"); n != 2 {
		t.Errorf("rules changed twice, and were put into force %d times", n)
	}
}

// Rules of pywb that are being written, and so are empty for a moment, open nothing.
func TestPywbRulesThatAreBeingWritten(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "collections", "river", "acl", "list.aclj")
	put(t, filepath.Join(dir, "collections", "river", "archive", "a.warc"), nil)
	write := func(rule string) { put(t, list, []byte(rule)) }
	write("example,river)/ - {\"access\": \"block\"}\n")
	synctest.Test(t, func(t *testing.T) {
		policy := &access.Policy{}
		i := &installation{dir: dir, rules: map[string]*access.Rules{}, log: slog.New(slog.DiscardHandler)}
		i.put(policy)
		go i.watch(t.Context())
		of := func() access.Access {
			return policy.Rules().In("river").For("example,river)/", "").Decide(20200101000000, time.Now()).Access
		}
		time.Sleep(3 * checkInterval)
		if got := of(); got != access.Block {
			t.Fatalf("%s before", got)
		}
		time.Sleep(checkInterval / 2)
		write("")
		time.Sleep(checkInterval)
		if got := of(); got != access.Block {
			t.Errorf("%s while its file is empty for a moment", got)
		}
		write("example,river)/ - {\"access\": \"exclude\"}\n")
		time.Sleep(3 * checkInterval)
		if got := of(); got != access.Exclude {
			t.Errorf("%s after it was written", got)
		}
	})
}

// A server that is told to end serves on for a while.
func TestDrained(t *testing.T) {
	for _, after := range []time.Duration{0, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			told, tell := context.WithCancel(t.Context())
			serving, ended := drained(told, after)
			defer ended()
			time.Sleep(time.Hour)
			if serving.Err() != nil {
				t.Fatalf("it ended untold, with %s", after)
			}
			tell()
			if after > 0 {
				time.Sleep(after - time.Second)
				synctest.Wait()
				if serving.Err() != nil {
					t.Fatalf("it serves no longer, with %s", after)
				}
				time.Sleep(2 * time.Second)
			}
			synctest.Wait()
			if serving.Err() == nil {
				t.Fatalf("it serves on and on, with %s", after)
			}
		})
	}
}

// What runs crawls has the settings of the server, but not in its arguments, which anybody on the machine can read.
func TestWhatRunsCrawlsIsTold(t *testing.T) {
	s := open(t, "/d", nil)
	if err := s.Level.UnmarshalText([]byte("warn")); err != nil {
		t.Fatal(err)
	}
	s.JSON, s.Collections = true, &config.Collections{}
	s.Database, s.SearchEngine, s.S3Endpoint, s.CacheDir, s.CacheSize = "postgres://h/i", "http://e", "http://s", "/c", 5
	want := "VARVE_LOG_LEVEL=WARN VARVE_LOG_FORMAT=json VARVE_COLLECTION=web VARVE_DATA=/d VARVE_CONFIG= VARVE_INDEX=postgres://h/i " +
		"VARVE_SEARCH_ENGINE=http://e VARVE_S3_ENDPOINT=http://s VARVE_CACHE_DIR=/c VARVE_CACHE_SIZE=5"
	if got := strings.Join(s.jobsSettings(), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
