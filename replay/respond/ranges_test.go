package respond

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/warc"
)

func TestParseRanges(t *testing.T) {
	const total = 100
	for _, tt := range []struct {
		name, header string
		want         []byteRange
		ok           bool
	}{
		{"from and to", "bytes=10-19", []byteRange{{10, 19}}, true},
		{"one byte", "bytes=0-0", []byteRange{{0, 0}}, true},
		{"to the end", "bytes=90-", []byteRange{{90, 99}}, true},
		{"the last bytes", "bytes=-10", []byteRange{{90, 99}}, true},
		{"all as last bytes", "bytes=-100", []byteRange{{0, 99}}, true},
		{"more last bytes than there are", "bytes=-101", []byteRange{{0, 99}}, true},
		{"no last bytes", "bytes=-0", nil, true},
		{"beyond the end", "bytes=90-100", []byteRange{{90, 99}}, true},
		{"up to the end", "bytes=90-99", []byteRange{{90, 99}}, true},
		{"the last byte", "bytes=99-", []byteRange{{99, 99}}, true},
		{"behind the end", "bytes=100-", nil, true},
		{"one behind the end among others", "bytes=0-1,100-,5-6", []byteRange{{0, 1}, {5, 6}}, true},
		{"with spaces", " bytes=0-1 , 5-6 ", []byteRange{{0, 1}, {5, 6}}, true},
		{"as many as can be", "bytes=0-0" + strings.Repeat(",0-0", 15), slices.Repeat([]byteRange{{0, 0}}, 16), true},
		{"one more", "bytes=0-0" + strings.Repeat(",0-0", 16), nil, false},
		{"another unit", "lines=0-1", nil, false},
		{"no header", "", nil, false},
		{"no unit", "0-5", nil, false},
		{"no dash", "bytes=5", nil, false},
		{"no number", "bytes=a-5", nil, false},
		{"no number at the end", "bytes=5-a", nil, false},
		{"no number of last bytes", "bytes=-a", nil, false},
		{"a dash only", "bytes=-", nil, false},
		{"backwards", "bytes=9-8", nil, false},
		{"a number below 0", "bytes=--5", nil, false},
		{"a number beyond all", "bytes=0-9223372036854775808", nil, false},
		{"a bad one among good ones", "bytes=0-1,x", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := parseRanges(tt.header, total)
			if ok != tt.ok || !slices.Equal(got, tt.want) {
				t.Errorf("got %v %t, want %v %t", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestLengthOfRanges(t *testing.T) {
	for want, ranges := range map[int64][]byteRange{0: nil, 1: {{0, 0}}, 10: {{0, 4}, {5, 9}}, 12: {{0, 9}, {8, 9}}} {
		if got := sum(ranges); got != want {
			t.Errorf("%v: %d bytes, want %d", ranges, got, want)
		}
	}
}

func TestWithinKeepsWhatTheSpanHas(t *testing.T) {
	span := archive.Span{First: 10, Last: 19, Total: 100}
	for _, tt := range []struct {
		name      string
		in, want  byteRange
		something bool
	}{
		{"inside", byteRange{12, 15}, byteRange{12, 15}, true},
		{"all of it", byteRange{10, 19}, byteRange{10, 19}, true},
		{"over both ends", byteRange{0, 99}, byteRange{10, 19}, true},
		{"its first byte", byteRange{0, 10}, byteRange{10, 10}, true},
		{"its last byte", byteRange{19, 40}, byteRange{19, 19}, true},
		{"before", byteRange{0, 9}, byteRange{}, false},
		{"behind", byteRange{20, 40}, byteRange{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := within(span, []byteRange{tt.in})
			if (len(got) == 1) != tt.something || tt.something && got[0] != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// An opened body is one that was opened once more, to go back in it.
type openedBody struct {
	io.Reader
	closed *int
}

func (o openedBody) Close() error { *o.closed++; return nil }

// A sent answer is what a Sending made of a body.
type sent struct {
	*httptest.ResponseRecorder
	err            error
	aborted        any // what the sending panicked with
	broke          error
	opened, closed int
}

// send sends a body of an answer. request and head are names and values of headers in turn.
func send(s Sending, body string, request, head []string) (out *sent) {
	out = &sent{ResponseRecorder: httptest.NewRecorder()}
	if s.R == nil {
		s.R = httptest.NewRequest(http.MethodGet, "/", nil)
	}
	s.R.Header, s.W = pairs(request...), out
	for name, values := range pairs(head...) {
		out.Header()[name] = values
	}
	if s.Again == nil {
		s.Again = func() (io.ReadCloser, error) {
			out.opened++
			return openedBody{strings.NewReader(body), &out.closed}, nil
		}
	}
	s.Failed = func(err error) error { return fmt.Errorf("failed: %w", err) }
	s.Broke = func(err error) { out.broke = err }
	defer func() { out.aborted = recover() }()
	out.err = s.Send(strings.NewReader(body))
	return out
}

const tenBytes = "0123456789"

func TestSendRanges(t *testing.T) {
	for _, tt := range []struct {
		name     string
		status   int
		header   string // Content-Range as captured
		length   int64
		asked    string
		ifRange  string
		want     int
		ranges   string // Content-Range as sent
		body     string
		accepted bool // says Accept-Ranges
		opened   int
	}{
		{"a body plainly", 200, "", 10, "", "", 200, "", tenBytes, true, 0},
		{"a body of unknown length plainly", 200, "", -1, "", "", 200, "", tenBytes, true, 0},
		{"a part", 200, "", 10, "bytes=3-5", "", 206, "bytes 3-5/10", "345", true, 0},
		{"a part of a body that is measured first", 200, "", -1, "bytes=3-", "", 206, "bytes 3-9/10", "3456789", true, 1},
		{"the last byte", 200, "", 10, "bytes=-1", "", 206, "bytes 9-9/10", "9", true, 0},
		{"behind the end", 200, "", 10, "bytes=10-", "", 416, "bytes */10", "", true, 0},
		{"of an empty body", 200, "", 0, "bytes=0-", "", 416, "bytes */0", "", true, 0},
		{"not understood", 200, "", 10, "pages=1-2", "", 200, "", tenBytes, true, 0},
		{"of what the client has", 200, "", 10, "bytes=3-5", `"a"`, 206, "bytes 3-5/10", "345", true, 0},
		{"of what the client doesn't have", 200, "", 10, "bytes=3-5", `"b"`, 200, "", tenBytes, true, 0},
		{"of another status", 404, "", 10, "bytes=3-5", "", 404, "", tenBytes, false, 0},
		{"a captured part plainly", 206, "bytes 20-29/100", 10, "", "", 206, "bytes 20-29/100", tenBytes, true, 0},
		{"a part of a captured part", 206, "bytes 20-29/100", 10, "bytes=22-23", "", 206, "bytes 22-23/100", "23", true, 0},
		{"more than a captured part has", 206, "bytes 20-29/100", 10, "bytes=0-", "", 206, "bytes 20-29/100", tenBytes, true, 0},
		{"before a captured part", 206, "bytes 20-29/100", 10, "bytes=0-19", "", 416, "bytes */100", "", true, 0},
		{"behind a captured part", 206, "bytes 20-29/100", 10, "bytes=30-", "", 416, "bytes */100", "", true, 0},
		{"a captured part of unknown length", 206, "bytes 20-29/100", -1, "bytes=28-", "", 206, "bytes 28-29/100", "89", true, 0},
		{"a part so often that the whole is shorter", 206, "bytes 5-14/15", 10, "bytes=5-,5-", "", 206, "bytes 5-14/15", tenBytes, true, 0},
		{"of a captured part that was cut short", 206, "bytes 20-39/100", 10, "bytes=28-", "", 206, "bytes 28-29/100", "89", true, 0},
		{"the end of which is not there", 206, "bytes 20-39/100", 10, "bytes=30-", "", 416, "bytes */100", "", true, 0},
		{"of a captured part with too much", 206, "bytes 20-24/100", 10, "bytes=21-", "", 206, "bytes 20-24/100", tenBytes, false, 0},
		{"of a captured part that says nothing", 206, "", 10, "bytes=1-2", "", 206, "", tenBytes, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked, head := []string{}, []string{"Etag", `"a"`, "Content-Type", "video/mp4", "Content-Length", "7"}
			if tt.asked != "" {
				asked = []string{"Range", tt.asked, "If-Range", tt.ifRange}
			}
			if tt.header != "" {
				head = append(head, "Content-Range", tt.header)
			}
			body := tenBytes
			if tt.length == 0 {
				body = ""
			}
			got := send(Sending{Status: tt.status, Length: tt.length}, body, asked, head)
			if got.err != nil || got.aborted != nil || got.broke != nil {
				t.Fatal(got.err, got.aborted, got.broke)
			}
			if got.Code != tt.want || got.Body.String() != tt.body || got.Header().Get("Content-Range") != tt.ranges {
				t.Errorf("%d %q %q", got.Code, got.Header().Get("Content-Range"), got.Body)
			}
			if got.Code == 416 && got.Header().Get("Content-Length") != "" {
				t.Errorf("Content-Length: %q", got.Header().Get("Content-Length"))
			}
			if (got.Header().Get("Accept-Ranges") == "bytes") != tt.accepted {
				t.Errorf("Accept-Ranges: %q", got.Header().Get("Accept-Ranges"))
			}
			if got.opened != tt.opened || got.closed != got.opened {
				t.Errorf("opened %d times, closed %d times", got.opened, got.closed)
			}
		})
	}
}

// One pass over the body serves ranges that follow each other; to go back it is opened once more (RFC 9110 §15.3.7.2 leaves
// the order to the client).
func TestSendSeveralRanges(t *testing.T) {
	for _, tt := range []struct {
		name, asked string
		want        []string
		opened      int
	}{
		{"one behind the other", "bytes=0-1,4-5,8-9", []string{"0-1/10 01", "4-5/10 45", "8-9/10 89"}, 0},
		{"one right behind the other", "bytes=0-1,2-3", []string{"0-1/10 01", "2-3/10 23"}, 0},
		{"back", "bytes=8-9,0-1", []string{"8-9/10 89", "0-1/10 01"}, 1},
		{"back twice", "bytes=8-9,4-5,0-1", []string{"8-9/10 89", "4-5/10 45", "0-1/10 01"}, 2},
		{"one byte back", "bytes=2-3,3-4", []string{"2-3/10 23", "3-4/10 34"}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			head := []string{"Content-Type", "video/mp4", "Content-Range", "bytes 0-9/10"} // the last must go (RFC 9110 §15.3.7.2)
			got := send(Sending{Status: 200, Length: 10}, tenBytes, []string{"Range", tt.asked}, head)
			if got.Code != http.StatusPartialContent || got.Header().Get("Content-Range") != "" ||
				got.opened != tt.opened || got.closed != tt.opened {
				t.Errorf("%d, opened %d times, closed %d times", got.Code, got.opened, got.closed)
			}
			_, params, err := mime.ParseMediaType(got.Header().Get("Content-Type"))
			if err != nil {
				t.Fatal(err)
			}
			var parts []string
			for m := multipart.NewReader(got.Body, params["boundary"]); ; {
				p, err := m.NextRawPart()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				b, _ := io.ReadAll(p)
				parts = append(parts, strings.TrimPrefix(p.Header.Get("Content-Range"), "bytes ")+" "+string(b))
				if kind := p.Header.Get("Content-Type"); kind != "video/mp4" {
					t.Errorf("a part of type %q", kind)
				}
			}
			if !slices.Equal(parts, tt.want) {
				t.Errorf("got %q, want %q", parts, tt.want)
			}
		})
	}
}

func TestARangeOfAnUntypedBodyIsNotGuessedAt(t *testing.T) {
	const page = "<!doctype html><title>a page</title>"
	got := send(Sending{Status: 200, Length: int64(len(page))}, page, []string{"Range", "bytes=0-20"}, nil)
	if got.Code != 206 || got.Header().Get("Content-Type") != "" {
		t.Errorf("%d %v", got.Code, got.Header())
	}
}

func TestARangeThatCantBeRead(t *testing.T) {
	noAgain := func() (io.ReadCloser, error) { return nil, errors.New("the file is gone") }
	short := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("01")), nil }
	for _, tt := range []struct {
		name    string
		sending Sending
		asked   string
		err     bool // while the head was not out
		aborted bool // after it was
	}{
		{"the record ends before the range begins", Sending{Status: 200, Length: 20}, "bytes=15-", true, false},
		{"the record ends within the range", Sending{Status: 200, Length: 20}, "bytes=5-", false, true},
		{"it can't be measured, for it can't be opened", Sending{Status: 200, Length: -1, Again: noAgain}, "bytes=5-", true, false},
		{"it can't be opened to go back", Sending{Status: 200, Length: 10, Again: noAgain}, "bytes=8-9,0-1", false, true},
		{"it is shorter when it is opened again", Sending{Status: 200, Length: 10, Again: short}, "bytes=8-9,4-5", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := send(tt.sending, tenBytes, []string{"Range", tt.asked}, []string{"Content-Type", "video/mp4"})
			if (got.err != nil) != tt.err || (got.aborted != nil) != tt.aborted || (got.broke != nil) != tt.aborted {
				t.Errorf("error %v, aborted %v, broke %v", got.err, got.aborted, got.broke)
			}
			if tt.aborted && got.aborted != http.ErrAbortHandler {
				t.Errorf("panicked with %v", got.aborted)
			}
			if tt.err && got.Body.Len() > 0 {
				t.Errorf("an error, and yet a body: %q", got.Body)
			}
		})
	}
}

// Ranges are read by a goroutine of net/http that may outlive the request: after it nothing may be read any more.
func TestABodyIsNotReadAfterItsEnd(t *testing.T) {
	b := &bodySeeker{body: strings.NewReader(tenBytes), span: archive.Span{Last: 9, Total: 10}}
	if n, err := b.Read(make([]byte, 2)); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Read(make([]byte, 2)); n != 0 || err != io.ErrClosedPipe {
		t.Errorf("read %d bytes, %v", n, err)
	}
}

func TestBodySeekerSeeks(t *testing.T) {
	b := &bodySeeker{body: strings.NewReader(tenBytes), at: 20, span: archive.Span{First: 20, Last: 29, Total: 100}}
	for _, tt := range []struct {
		name   string
		offset int64
		whence int
		at     int64
		read   string
		err    error
	}{
		{"to the start", 20, io.SeekStart, 20, "0", nil},
		{"on from there", 2, io.SeekCurrent, 23, "3", nil},
		{"to its last byte", -71, io.SeekEnd, 29, "9", nil},
		{"behind it", 30, io.SeekStart, 30, "", io.EOF},
		{"to the end, to learn the length", 0, io.SeekEnd, 100, "", io.EOF},
	} {
		at, err := b.Seek(tt.offset, tt.whence)
		if err != nil || at != tt.at {
			t.Errorf("%s: at %d, %v", tt.name, at, err)
		}
		one := make([]byte, 1)
		n, err := b.Read(one)
		if string(one[:n]) != tt.read || err != tt.err {
			t.Errorf("%s: read %q, %v", tt.name, one[:n], err)
		}
	}
	if err := b.finish(); err != nil {
		t.Errorf("the end of a body is no trouble: %v", err)
	}
}

func TestAskedPartLooksOnlyForWhatIsMissing(t *testing.T) {
	const captured = "bytes 20-29/100"
	for _, tt := range []struct {
		name, method, asked, captured string
		status                        int
	}{
		{"what it has", http.MethodGet, "bytes=20-25", captured, 206},
		{"its last byte", http.MethodGet, "bytes=29-", captured, 206},
		{"no range", http.MethodGet, "", captured, 206},
		{"behind the end of the whole", http.MethodGet, "bytes=100-", captured, 206},
		{"bad syntax", http.MethodGet, "bytes=x", captured, 206},
		{"another method", http.MethodHead, "bytes=0-5", captured, 206},
		{"of a capture that has all", http.MethodGet, "bytes=0-5", captured, 200},
		{"of a capture that says nothing of its place", http.MethodGet, "bytes=0-5", "", 206},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "/", nil)
			r.Header.Set("Range", tt.asked)
			a := &archive.Response{Status: tt.status, Length: 10, Header: warc.Fields{{Name: "Content-Range", Value: tt.captured}}}
			part, err := AskedPart(r, nil, nil, a) // no archive: it would be asked
			if part != nil || err != nil {
				t.Errorf("got %v, %v", part, err)
			}
		})
	}
}
