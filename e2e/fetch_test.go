package e2e

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What varve fetch prints in the end.
type fetchReport struct {
	Mementos, Had, Written, Revisits, Missing int
}

func fetchInto(t *testing.T, data string, more ...string) (r fetchReport, stderr string, code int) {
	t.Helper()
	stdout, stderr, code := invoke(t, append([]string{"fetch", "--data", data, "--delay", "0s", "--allow-private"}, more...)...)
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("exit %d, %q is no report: %v\n%s", code, stdout, err, stderr)
	}
	return r, stderr, code
}

// Mementos of another archive have the bytes, the heads and the versions here that they have there, and say where they are from.
func TestFetchedMementosAreWhatTheyWere(t *testing.T) {
	const page = "http://www.riverbend.example/history.html"
	other := demo(t)
	data := filepath.Join(t.TempDir(), "data")
	r, stderr, code := fetchInto(t, data, other.url+"/web/timemap/link/"+page)
	if code != 0 || r.Mementos == 0 || r.Written != r.Mementos || r.Missing != 0 || r.Revisits == 0 {
		t.Fatalf("exit %d, %+v: %s", code, r, stderr)
	}
	again, stderr, code := fetchInto(t, data, other.url+"/web/timemap/json/"+page)
	if code != 0 || again.Had != r.Mementos || again.Written != 0 {
		t.Errorf("a second run: exit %d, %+v: %s", code, again, stderr)
	}
	mine, err := launch(data, "serve")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := mine.stop(); err != nil {
			t.Error(err)
		}
	})
	cdx := "/web/cdx?fl=timestamp,original,statuscode,mimetype,digest&url=" + page
	lines := other.get(t, cdx).body
	if got := mine.get(t, cdx).body; got != lines {
		t.Errorf("captures here:\n%s\nthere:\n%s", got, lines)
	}
	for _, at := range []string{"/web/changes?level=content&url=", "/web/changes?level=text&url=", "/web/timemap/link/"} {
		here, there := mine.get(t, at+page).body, strings.ReplaceAll(other.get(t, at+page).body, other.url, mine.url)
		if here != there {
			t.Errorf("%s here:\n%.2000s\nthere:\n%.2000s", at, here, there)
		}
	}
	for line := range strings.Lines(lines) {
		ts, _, _ := strings.Cut(line, " ")
		original := strings.Fields(line)[1]
		raw := "/web/" + ts + "id_/" + original
		here, there := mine.get(t, raw), other.get(t, raw)
		if here.status != there.status || here.body != there.body {
			t.Errorf("%s: %d, %d bytes here; %d, %d bytes there", raw, here.status, len(here.body), there.status, len(there.body))
		}
		for _, name := range []string{"Content-Type", "X-Archive-Orig-Server", "X-Archive-Orig-Last-Modified", "Memento-Datetime"} {
			if here.header.Get(name) != there.header.Get(name) {
				t.Errorf("%s: %s %q here, %q there", raw, name, here.header.Get(name), there.header.Get(name))
			}
		}
		shown := mine.get(t, "/web/"+ts+"/"+original, "Accept-Language", "en")
		if host := strings.TrimPrefix(other.url, "http://"); !strings.Contains(shown.body, "from the archive <bdi dir=\"ltr\">"+host+"</bdi>") {
			t.Errorf("the banner of %s doesn't name %s", ts, host)
		}
	}
}

// A server that is running shows at once what is fetched beside it.
func TestFetchBesideAServer(t *testing.T) {
	t.Parallel()
	const page = "http://www.riverbend.example/"
	other := demo(t)
	mine := start(t, "serve")
	r, stderr, code := fetchInto(t, mine.data, "--archive", other.url+"/web/timemap/link/", "--from", "2012", "--to", "2013", page)
	if code != 0 || r.Written == 0 || !strings.Contains(stderr, "the server has indexed 1 file") {
		t.Fatalf("exit %d, %+v: %s", code, r, stderr)
	}
	lines := strings.Split(strings.TrimSpace(mine.get(t, "/web/cdx?fl=timestamp&url="+page).body), "\n")
	if len(lines) != r.Written || lines[0] < "2012" || lines[len(lines)-1] > "2014" {
		t.Errorf("captures %q, want %d of 2012 and 2013", lines, r.Written)
	}
}

func TestFetchSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	other := demo(t)
	for name, tt := range map[string]struct {
		args []string
		says string
		code int
	}{
		"nothing there":     {[]string{"--allow-private", other.url + "/nothing/here"}, "name an archive with --archive", 1},
		"a private address": {[]string{other.url + "/web/timemap/link/http://www.riverbend.example/"}, "not on the public Internet", 1},
		"a bad datetime":    {[]string{"--from", "yesterday", "http://www.riverbend.example/"}, "--from", 2},
		"no address":        {nil, "expected", 2},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"fetch", "--data", t.TempDir(), "--archive", other.url + "/nowhere/", "--delay", "0s"}, tt.args...)
			began := time.Now()
			_, stderr, code := invoke(t, args...)
			if code != tt.code || !strings.Contains(stderr, tt.says) {
				t.Errorf("exit %d: %s", code, stderr)
			}
			if time.Since(began) > patience {
				t.Error("it took longer than anybody waits")
			}
		})
	}
	if a := other.get(t, "/web/timemap/link/http://www.riverbend.example/"); a.status != http.StatusOK {
		t.Errorf("the other archive answers %d", a.status)
	}
}
