package info_test

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/index/indextest"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay"
	"github.com/varve-archive/varve/replay/replaytest"
)

func sha1Of(s string) string {
	sum := sha1.Sum([]byte(s))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// infoServer serves a file of records whose origins are known, under access rules.
func infoServer(t *testing.T, rules string) *replay.Server {
	t.Helper()
	policy := &access.Policy{}
	policy.Put(archivetest.Rules(t, rules))
	return infoServerUnder(t, policy)
}

func infoServerUnder(t *testing.T, policy *access.Policy) *replay.Server {
	t.Helper()
	const page = `<!doctype html><title>The "river"</title><link rel=stylesheet href=style.css><img src=never.png><a href=elsewhere>on</a>`
	text := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	file := replaytest.RecordText("warcinfo", "info", "WARC-Date: 2012-01-01T00:00:00Z\r\nContent-Type: application/warc-fields\r\n",
		"software: crawler/1\r\nisPartOf: rivers\r\n") +
		replaytest.ResponseText("http://a.example/", "2012-01-01T00:00:00Z", "WARC-Payload-Digest: "+sha1Of(page)+"\r\n", text+page) +
		replaytest.ResponseText("http://a.example/style.css", "2012-02-10T00:00:00Z", "",
			"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\np{}") +
		replaytest.ResponseText("http://a.example/old", "2012-01-01T00:00:00Z", "",
			"HTTP/1.1 301 Moved\r\nLocation: http://a.example/\r\n\r\n") +
		replaytest.ResponseText("http://a.example/wrong", "2012-01-01T00:00:00Z", "WARC-Block-Digest: "+sha1Of("else")+"\r\n", text+"wrong") +
		replaytest.ResponseText("http://hidden.example/x", "2012-01-01T00:00:00Z", "WARC-Payload-Digest: "+sha1Of("same")+"\r\n", text+"same") +
		replaytest.RecordText("revisit", "v", "WARC-Target-URI: http://a.example/x\r\nWARC-Date: 2013-01-01T00:00:00Z\r\n"+
			"Content-Type: application/http\r\n"+
			"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\nWARC-Payload-Digest: "+sha1Of("same")+"\r\n"+
			"WARC-Refers-To-Target-URI: http://hidden.example/x\r\nWARC-Refers-To-Date: 2012-01-01T00:00:00Z\r\n", text) +
		replaytest.ResponseText("http://a.example/cut", "2012-01-01T00:00:00Z", "", text+"cut off")
	return serveFile(t, "rivers.warc", file[:len(file)-7], policy)
}

// serveFile serves a file of records under access rules.
func serveFile(t *testing.T, name, content string, policy *access.Policy) *replay.Server {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	x := indextest.Open(t, filepath.Join(t.TempDir(), "index"))
	store := warc.NewStore(func(id cdx.FileID) (string, bool) { f, ok := x.File(id); return f.Path, ok })
	t.Cleanup(func() { store.Close() })
	s, err := replay.New(replay.Config{Archive: replaytest.Archive(t, archive.Config{Index: x, Records: store, Access: policy})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Run(t.Context(), ingest.Config{Index: x, Collection: "web"}, []string{path}); err != nil {
		t.Fatal(err)
	}
	return s
}

// An info is what tests read of the answer.
type info struct {
	Datetime, File, Format, Type string
	Body                         string `json:"body_file"`
	Checked                      bool
	Problems                     []string
	Damage                       string
	Record                       [][2]string
	Written                      [][2]string `json:"written_by"`
	Redirects                    []struct {
		URIR string `json:"original_uri"`
		URIM string `json:"uri_m"`
	}
	Parts struct {
		Total, Missing, Unread int
		LeftOut                int `json:"left_out"`
		More                   bool
		List                   []struct {
			URIR  string `json:"original_uri"`
			URIM  string `json:"uri_m"`
			Drift *int   `json:"drift_seconds"`
		}
	}
	Cite map[string]string
}

func infoOf(t *testing.T, s *replay.Server, ts, uriR string) (out info) {
	t.Helper()
	w := replaytest.Get(t, s.Handler(), "/web/"+ts+"/info?url="+url.QueryEscape(uriR))
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %s: %v", uriR, w.Code, w.Body, err)
	}
	return out
}

func TestInfoSaysWhereACaptureIsFrom(t *testing.T) {
	s := infoServer(t, "")
	page := infoOf(t, s, "20120101000000", "http://a.example/")
	if page.File != "rivers.warc" || page.Format != "WARC/1.1" || page.Type != "response" || !page.Checked || len(page.Problems) > 0 ||
		page.Damage != "" || fmt.Sprint(page.Written) != "[[software crawler/1] [isPartOf rivers]]" {
		t.Errorf("%+v", page)
	}
	const forty = 40 * 24 * 60 * 60
	if p := page.Parts; p.Total != 2 || p.Missing != 1 || p.List[0].Drift == nil || *p.List[0].Drift != forty ||
		!strings.HasSuffix(p.List[0].URIM, "/web/20120210000000/http://a.example/style.css") || p.List[1].URIR != "http://a.example/never.png" {
		t.Errorf("%+v", p)
	}
	for form, want := range map[string]string{
		"text":   "“The \"river\"”. http://a.example/. Archived 1 January 2012, 00:00 UTC. http://",
		"bibtex": "  title = {The \"river\"},\n", "csl": `"title": "The \"river\""`,
		"embed":       `<blockquote cite="http://varve.example/web/20120101000000/http://a.example/"><p><a href=`,
		"robust_link": `data-originalurl="http://a.example/" data-versiondate="2012-01-01">The &#34;river&#34;</a>`,
	} {
		if !strings.Contains(page.Cite[form], want) {
			t.Errorf("%s: %s", form, page.Cite[form])
		}
	}
	if !json.Valid([]byte(page.Cite["csl"])) {
		t.Errorf("no JSON: %s", page.Cite["csl"])
	}
	old := infoOf(t, s, "20120101000000", "http://a.example/old")
	if len(old.Redirects) != 1 || !strings.HasSuffix(old.Redirects[0].URIM, "/web/20120101000000/http://a.example/") || old.Parts.Total != 0 {
		t.Errorf("%+v", old)
	}
	if wrong := infoOf(t, s, "20120101000000", "http://a.example/wrong"); len(wrong.Problems) != 1 || wrong.Damage != "" {
		t.Errorf("%+v", wrong)
	}
	cut := infoOf(t, s, "20120101000000", "http://a.example/cut")
	if !strings.Contains(cut.Damage, "rivers.warc") || len(cut.Parts.List) != 0 {
		t.Errorf("%+v", cut)
	}
	again := infoOf(t, s, "20130101000000", "http://a.example/x")
	if again.Type != "revisit" || again.Body != "rivers.warc" || !strings.Contains(fmt.Sprint(again.Record), "hidden.example") {
		t.Errorf("%+v", again)
	}
}

// A revisit may name a page that its readers may not know of.
func TestInfoNamesNothingExcluded(t *testing.T) {
	s := infoServer(t, `rules: [{url: "http://hidden.example/", match: host, access: exclude}]`)
	again := infoOf(t, s, "20130101000000", "http://a.example/x")
	if again.Body != "" || len(again.Record) < 5 || strings.Contains(fmt.Sprint(again), "hidden.example") {
		t.Errorf("%+v", again)
	}
	w := replaytest.Get(t, s.Handler(), "/web/20120101000000/info?url=http%3A%2F%2Fhidden.example%2Fx")
	if w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	elsewhere := archivetest.Rules(t, `rules: [{url: "http://other.example/", match: host, access: exclude}]`)
	policy := &access.Policy{}
	policy.Put(access.PerCollection(map[string]*access.Rules{"web": elsewhere}))
	again = infoOf(t, infoServerUnder(t, policy), "20130101000000", "http://a.example/x")
	if again.Body != "rivers.warc" || !strings.Contains(fmt.Sprint(again.Record), "hidden.example") {
		t.Errorf("what the collection's rules leave alone is not named: %+v", again)
	}
	blocked := infoServer(t, `rules: [{url: "http://a.example/", match: host, access: block, say: "Withdrawn."}]`)
	w = replaytest.Get(t, blocked.Handler(), "/web/20120101000000/info?url=http%3A%2F%2Fa.example%2F")
	if w.Code != 451 || !strings.Contains(w.Body.String(), "Withdrawn") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
