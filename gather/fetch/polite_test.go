package fetch_test

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/fetch"
	"github.com/varve-archive/varve/gather/politeness"
)

// ask asks an archive once, whose answer is closed when the test ends.
func ask(t *testing.T, header http.Header, archive http.HandlerFunc) *http.Response {
	t.Helper()
	s := httptest.NewServer(archive)
	t.Cleanup(s.Close)
	c := client.New(client.Config{AllowPrivate: true})
	t.Cleanup(c.Close)
	answer, err := fetch.NewPolite(c, politeness.Config{}).Get(t.Context(), s.URL, header)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// An archive that is busy is asked again, a few times; a memento of what was busy is an answer.
func TestWhatIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		answers []int // the last one again and again
		memento bool
		asked   int
		status  int
	}{
		{"an answer", []int{200}, false, 1, 200},
		{"missing", []int{404}, false, 1, 404},
		{"an error of the server", []int{500, 200}, false, 2, 200},
		{"a gateway's", []int{502, 504, 200}, false, 3, 200},
		{"up to the last try", []int{502, 502, 502, 502, 200}, false, 5, 200},
		{"for ever", []int{502}, false, 5, 502},
		{"no answer", []int{0, 200}, false, 2, 200},
		{"not implemented", []int{501}, false, 1, 501},
		{"captured so", []int{503}, true, 1, 503},
		{"captured as too many", []int{429}, true, 1, 429},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			answer := ask(t, http.Header{"Prefer": {"raw"}}, func(w http.ResponseWriter, r *http.Request) {
				if tt.memento {
					w.Header().Set("Memento-Datetime", "Thu, 31 May 2007 20:35:00 GMT")
				}
				w.Header().Set("Asked-With", r.Header.Get("Prefer"))
				status := tt.answers[min(asked, len(tt.answers)-1)]
				asked++
				if status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.WriteHeader(status)
			})
			if answer.StatusCode != tt.status || asked != tt.asked || answer.Header.Get("Asked-With") != "raw" {
				t.Errorf("status %d after %d requests, %v", answer.StatusCode, asked, answer.Header)
			}
		})
	}
}

// An answer whose connection ended too early is asked for again, and in the end is what there is of it.
func TestAnswersThatBreakOff(t *testing.T) {
	for broken, want := range map[int]string{1: "whole", 4: "whole", 9: "wh"} {
		asked := 0
		answer := ask(t, nil, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Content-Length", "5")
			if asked <= broken {
				_, _ = io.WriteString(w, "wh")
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			}
			_, _ = io.WriteString(w, "whole")
		})
		if body, _ := io.ReadAll(answer.Body); string(body) != want || asked != min(broken+1, 5) {
			t.Errorf("broken %d times: %q after %d requests", broken, body, asked)
		}
	}
}

// Archives have captures of addresses that browsers request and Go doesn't parse.
func TestStrayPercentSignsAreEncoded(t *testing.T) {
	asked := ""
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.RequestURI }))
	defer s.Close()
	c := client.New(client.Config{AllowPrivate: true})
	defer c.Close()
	web := fetch.NewPolite(c, politeness.Config{})
	answer, err := web.Get(t.Context(), s.URL+"/web/20100101000000id_/http://river.example/50%-off", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if asked != "/web/20100101000000id_/http://river.example/50%25-off" {
		t.Errorf("asked for %q", asked)
	}
	if _, err := web.Get(t.Context(), "http://[/", nil); err == nil {
		t.Error("no error of what is no address")
	}
}

// What will never be answered is not waited for.
func TestPrivateAddressesAreAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client.New(client.Config{})
		defer c.Close()
		began := time.Now()
		_, err := fetch.NewPolite(c, politeness.Config{}).Get(t.Context(), "http://127.0.0.1:9/", nil)
		if !errors.Is(err, client.ErrPrivate) || !time.Now().Equal(began) { // the clock of the bubble stands still unless somebody waits
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// A certificate that is invalid stays so: it isn't asked for again and again.
func TestInvalidCertificatesAreFinal(t *testing.T) {
	asked := atomic.Int32{}
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnState = func(_ net.Conn, at http.ConnState) {
		if at == http.StateNew {
			asked.Add(1)
		}
	}
	s.StartTLS()
	defer s.Close()
	c := client.New(client.Config{AllowPrivate: true})
	defer c.Close()
	if _, err := fetch.NewPolite(c, politeness.Config{}).Get(t.Context(), s.URL, nil); err == nil || asked.Load() != 1 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

// A body that was cut off on its way ends in an error, so that it isn't taken for a whole one.
func TestCutOffAnswersAreNotWhole(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/until-it-ends" {
			w.Header().Set("Transfer-Encoding", "identity")
		}
		_, _ = w.Write(make([]byte, 5000))
	}))
	defer s.Close()
	for _, path := range []string{"/with-length", "/until-it-ends"} {
		for most, want := range map[int64]error{100_000: nil, 1000: io.ErrUnexpectedEOF} {
			c := client.New(client.Config{AllowPrivate: true, MaxBytes: most})
			defer c.Close()
			answer, err := fetch.NewPolite(c, politeness.Config{}).Get(t.Context(), s.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if body, err := io.ReadAll(answer.Body); !errors.Is(err, want) {
				t.Errorf("%s, of %d bytes at most: %d read, %v", path, most, len(body), err)
			}
		}
	}
}

// What was kept of an answer is let go when its body is closed.
func TestClosedAnswersAreLetGo(t *testing.T) {
	answer := ask(t, nil, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 100_000)) })
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(answer.Body); err == nil {
		t.Errorf("%d bytes are still there", len(body))
	}
}
