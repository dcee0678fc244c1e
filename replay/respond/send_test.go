package respond

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSend(t *testing.T) {
	for _, tt := range []struct {
		name, method string
		status       int
		length       int64
		ifNone       string
		want         int
		contentLen   string
		body         string
	}{
		{"a body", "GET", 200, 10, "", 200, "10", tenBytes},
		{"a body of unknown length", "GET", 200, -1, "", 200, "", tenBytes},
		{"an empty body", "GET", 200, 0, "", 200, "0", ""},
		{"its head", "HEAD", 200, 10, "", 200, "10", ""},
		{"an answer to POST", "POST", 200, 10, "", 200, "10", tenBytes},
		{"what the client has", "GET", 200, 10, `"a"`, 304, "", ""},
		{"the head of what the client has", "HEAD", 200, 10, `"a"`, 304, "", ""},
		{"what the client has, by another method", "POST", 200, 10, `"a"`, 200, "10", tenBytes},
		{"a failure, with the same tag", "GET", 404, 10, `"a"`, 404, "10", tenBytes},
		{"no content", "GET", 204, 10, "", 204, "", ""},
		{"a captured 304", "GET", 304, 10, "", 304, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body, request := tenBytes, []string{}
			if tt.length == 0 {
				body = ""
			}
			if tt.ifNone != "" {
				request = []string{"If-None-Match", tt.ifNone}
			}
			got := send(Sending{R: httptest.NewRequest(tt.method, "/", nil), Status: tt.status, Length: tt.length}, body, request,
				[]string{"Etag", `"a"`})
			if got.err != nil || got.aborted != nil || got.opened > 0 {
				t.Fatal(got.err, got.aborted, got.opened)
			}
			if got.Code != tt.want || got.Body.String() != tt.body || got.Header().Get("Content-Length") != tt.contentLen {
				t.Errorf("%d %q %q", got.Code, got.Header().Get("Content-Length"), got.Body)
			}
		})
	}
}

// Neither a body nor a head is sent where the client names another answer (RFC 9110 §13.1.1), so that a page of the failure can be.
func TestNothingIsSentInPlaceOfAnotherAnswer(t *testing.T) {
	got := send(Sending{Status: 200, Length: 10}, tenBytes, []string{"If-Match", `"b"`}, []string{"Etag", `"a"`})
	if f := (*Failure)(nil); !errors.As(got.err, &f) || f.Status != 412 || got.Body.Len() > 0 || got.Header().Get("Content-Length") != "" {
		t.Errorf("%v, %q", got.err, got.Body)
	}
}

func TestWhereNoRangeCanBeAskedForNothingIsMeasured(t *testing.T) {
	got := send(Sending{Status: 404, Length: -1}, tenBytes, []string{"Range", "bytes=1-2"}, nil)
	if got.Code != 404 || got.Body.String() != tenBytes || got.opened > 0 {
		t.Errorf("%d %q, opened %d times", got.Code, got.Body, got.opened)
	}
}

func TestABrokenBodyEndsTheConnection(t *testing.T) {
	trouble := errors.New("the disk is gone")
	var broke error
	sent := httptest.NewRecorder()
	s := Sending{
		W: sent, R: httptest.NewRequest(http.MethodGet, "/", nil), Status: 200, Length: -1,
		Broke: func(err error) { broke = err },
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler || broke != trouble || !sent.Flushed {
			t.Errorf("panicked with %v, learnt of %v, what could be read was sent: %v", p, broke, sent.Flushed)
		}
	}()
	_ = s.Send(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(trouble)))
	t.Error("the answer ended as if it were whole")
}

func TestMeasuringFailsWithAStatus(t *testing.T) {
	trouble, closed := errors.New("the disk is gone"), 0
	got := send(Sending{Status: 200, Length: -1, Again: func() (io.ReadCloser, error) {
		return openedBody{iotest.ErrReader(trouble), &closed}, nil
	}}, tenBytes, []string{"Range", "bytes=1-2"}, nil)
	if !errors.Is(got.err, trouble) || !strings.HasPrefix(got.err.Error(), "failed: ") || got.aborted != nil || closed != 1 {
		t.Errorf("%v, aborted %v, closed %d times", got.err, got.aborted, closed)
	}
}

func TestBreakOffLogsUnlessTheClientLeft(t *testing.T) {
	for _, left := range []bool{false, true} {
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		if left {
			cancel()
		}
		func() {
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("panicked with %v", p)
				}
			}()
			r := httptest.NewRequest(http.MethodGet, "/web/cdx", nil).WithContext(ctx)
			_ = BreakOff(slog.New(slog.NewTextHandler(&log, nil)), r, errors.New("the disk is gone"))
		}()
		cancel()
		if logged := strings.Contains(log.String(), "the disk is gone") && strings.Contains(log.String(), "/web/cdx"); logged == left {
			t.Errorf("the client left: %t, logged %q", left, &log)
		}
	}
}

// A flushing is a writer that counts how often it sends on what it has, and may fail.
type flushing struct {
	http.ResponseWriter
	flushes int
	fails   bool
}

func (f *flushing) Write(p []byte) (int, error) {
	if f.fails {
		return len(p), io.ErrShortWrite
	}
	return f.ResponseWriter.Write(p)
}

func (f *flushing) Flush() { f.flushes++ }

func TestStreamingSendsOnInLargePieces(t *testing.T) {
	piece := bytes.Repeat([]byte("a"), sendSize/2)
	for _, tt := range []struct {
		name    string
		writes  []int // how many bytes each
		fails   bool
		flushes int
	}{
		{"less than a piece", []int{sendSize - 1}, false, 0},
		{"a piece", []int{sendSize / 2, sendSize / 2}, false, 1},
		{"one and a half", []int{sendSize / 2, sendSize / 2, sendSize / 2}, false, 1},
		{"two", []int{sendSize / 2, sendSize / 2, sendSize / 2, sendSize / 2}, false, 2},
		{"what can't be written", []int{sendSize / 2, sendSize / 2}, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &flushing{ResponseWriter: httptest.NewRecorder(), fails: tt.fails}
			s := &Streaming{W: w}
			for _, n := range tt.writes {
				if got, err := s.Write(append(piece, piece...)[:n]); got != n || (err != nil) != tt.fails {
					t.Errorf("wrote %d, %v", got, err)
				}
			}
			if w.flushes != tt.flushes {
				t.Errorf("sent on %d times, want %d", w.flushes, tt.flushes)
			}
		})
	}
}
