package respond

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/timeline"
)

// maxRanges bounds the ranges of one request. Each range that begins before the previous one costs another reading of
// the record. A request for more ranges is answered as if it had asked for none, which RFC 9110 §14.2 allows.
const maxRanges = 16

// A byteRange is one requested range, both ends included.
type byteRange struct{ first, last int64 }

// parseRanges reads a Range header for a body of length total (RFC 9110 §14.1.2). ok is false if the header has to be
// ignored: another unit, bad syntax, or too many ranges. Ranges beyond the end are left out.
func parseRanges(header string, total int64) (ranges []byteRange, ok bool) {
	set, ok := strings.CutPrefix(strings.TrimSpace(header), "bytes=")
	if !ok || strings.Count(set, ",") >= maxRanges {
		return nil, false
	}
	for spec := range strings.SplitSeq(set, ",") {
		r, err := parseRange(strings.TrimSpace(spec), total)
		if err != nil {
			return nil, false
		}
		if r.first <= r.last {
			ranges = append(ranges, r)
		}
	}
	return ranges, true
}

// parseRange reads one range. If it lies beyond the end, its first position is greater than its last.
func parseRange(spec string, total int64) (byteRange, error) {
	from, to, found := strings.Cut(spec, "-")
	if !found {
		return byteRange{}, fmt.Errorf("%q has no dash", spec)
	}
	if from == "" {
		n, err := strconv.ParseUint(to, 10, 63)
		return byteRange{max(0, total-int64(n)), total - 1}, err
	}
	first, err := strconv.ParseUint(from, 10, 63)
	if err != nil || to == "" {
		return byteRange{int64(first), total - 1}, err
	}
	last, err := strconv.ParseUint(to, 10, 63)
	if err == nil && last < first {
		err = fmt.Errorf("%q ends before it begins", spec)
	}
	return byteRange{int64(first), min(int64(last), total-1)}, err
}

// AskedPart returns another open capture that contains the first byte of the requested range, if a is a captured 206 that doesn't. It
// returns nil if a contains it or no capture does.
func AskedPart(r *http.Request, s *archive.Archive, o *timeline.Original, a *archive.Response) (*archive.Response, error) {
	span, ok := a.Span()
	if !ok || a.Status != http.StatusPartialContent || r.Method != http.MethodGet {
		return nil, nil
	}
	ranges, ok := parseRanges(r.Header.Get("Range"), span.Total)
	if !ok || len(ranges) == 0 || span.Has(ranges[0].first) {
		return nil, nil
	}
	return s.Part(r.Context(), o, a, ranges[0].first)
}

// sum returns the length of all ranges together.
func sum(ranges []byteRange) (n int64) {
	for _, r := range ranges {
		n += r.last - r.first + 1
	}
	return n
}

// within returns the part of each range that is inside the span.
func within(s archive.Span, ranges []byteRange) []byteRange {
	var out []byteRange
	for _, r := range ranges {
		if r = (byteRange{max(r.first, s.First), min(r.last, s.Last)}); r.first <= r.last {
			out = append(out, r)
		}
	}
	return out
}

// parts answers a request for ranges with those that the span has: one as 206, several as multipart/byteranges. It
// returns false and writes nothing if the request has to be answered as if it had asked for none.
func (s *Sending) parts(body io.Reader, span archive.Span) (done bool, err error) {
	h := s.W.Header()
	if s.R.Method != http.MethodGet || !mayRange(s.R, h.Get("ETag")) {
		return false, nil
	}
	ranges, ok := parseRanges(s.R.Header.Get("Range"), span.Total)
	if !ok {
		return false, nil
	}
	if ranges = within(span, ranges); len(ranges) == 0 {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", span.Total))
		h.Del("Content-Length")
		s.W.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return true, nil
	}
	if sum(ranges) > span.Total { // net/http would send the whole instead, of which a captured part isn't all
		return false, nil
	}
	seeker := &bodySeeker{body: body, again: s.Again, at: span.First, span: span}
	defer seeker.finish()
	if err := seeker.moveTo(ranges[0].first); err != nil { // while a failure can still change the status
		return true, s.Failed(err)
	}
	h.Del("Content-Range")
	if h.Get("Content-Type") == "" {
		h["Content-Type"] = nil // the archived answer had none, and guessing is for browsers
	}
	http.ServeContent(s.W, asking(s.R, ranges), "", time.Time{}, seeker)
	if err := seeker.finish(); err != nil {
		return true, s.brokeOff(err)
	}
	return true, nil
}

// asking returns the request with only those ranges that exist.
func asking(r *http.Request, ranges []byteRange) *http.Request {
	specs := make([]string, len(ranges))
	for i, b := range ranges {
		specs[i] = fmt.Sprintf("%d-%d", b.first, b.last)
	}
	out := r.Clone(r.Context())
	out.Header = http.Header{"Range": {"bytes=" + strings.Join(specs, ", ")}}
	return out
}

// A bodySeeker allows seeking in a body that can only be read forwards. It skips what isn't needed, and opens the record again to go
// back.
type bodySeeker struct {
	mu     sync.Mutex // http.ServeContent writes several ranges from a goroutine that may outlive it
	body   io.Reader
	again  func() (io.ReadCloser, error)
	opened io.Closer
	span   archive.Span
	at     int64 // where body is
	want   int64 // where the next Read begins
	err    error // why reading ended early
	ended  bool
}

// Seek implements [io.Seeker]. Only Read moves the body.
func (b *bodySeeker) Seek(offset int64, whence int) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch whence {
	case io.SeekCurrent:
		offset += b.want
	case io.SeekEnd:
		offset += b.span.Total
	}
	b.want = offset
	return offset, nil
}

func (b *bodySeeker) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return 0, io.ErrClosedPipe
	}
	if b.want > b.span.Last {
		return 0, io.EOF
	}
	if err := b.moveTo(b.want); err != nil {
		b.err = err
		return 0, err
	}
	n, err := b.body.Read(p)
	b.at += int64(n)
	b.want = b.at
	if err == io.EOF && b.at <= b.span.Last {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// moveTo moves the body to a position in the span.
func (b *bodySeeker) moveTo(position int64) error {
	if position < b.at {
		again, err := b.again()
		if err != nil {
			return err
		}
		b.closeOpened()
		b.body, b.opened, b.at = again, again, b.span.First
	}
	n, err := io.CopyN(io.Discard, b.body, position-b.at)
	b.at += n
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// finish waits for a running Read and makes later ones fail. It returns the error if reading ended early.
func (b *bodySeeker) finish() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closeOpened()
	b.opened, b.ended = nil, true
	return b.err
}

func (b *bodySeeker) closeOpened() {
	if b.opened != nil {
		_ = b.opened.Close() // it was only read
	}
}
