package archive

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
)

// A Span is a part of a body: the bytes from First to Last of Total.
type Span struct{ First, Last, Total int64 }

// ParseContentRange reads the Content-Range of a captured 206 (RFC 9110 §14.4). ok is false if it doesn't place the
// bytes in a body of known length.
func ParseContentRange(value string) (s Span, ok bool) {
	unit, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	where, total, _ := strings.Cut(strings.TrimSpace(rest), "/")
	first, last, _ := strings.Cut(where, "-")
	if !strings.EqualFold(unit, "bytes") {
		return s, false
	}
	for _, number := range []struct {
		text string
		to   *int64
	}{{first, &s.First}, {last, &s.Last}, {total, &s.Total}} {
		n, err := strconv.ParseUint(strings.TrimSpace(number.text), 10, 63)
		if err != nil {
			return Span{}, false
		}
		*number.to = int64(n)
	}
	return s, s.First <= s.Last && s.Last < s.Total
}

// Whole reports whether the span is the whole body.
func (s Span) Whole() bool { return s.First == 0 && s.Last == s.Total-1 }

// Has reports whether the span contains the byte at a position.
func (s Span) Has(at int64) bool { return s.First <= at && at <= s.Last }

// Cut returns the part that a capture with a body of length bytes has if it claims s; -1 is an unknown length. A truncated capture has the
// beginning of it. ok is false if it has nothing, or more than it claims.
func (s Span) Cut(length int64) (has Span, ok bool) {
	claimed := s.Last - s.First + 1
	if length < 0 || length == claimed {
		return s, true
	}
	s.Last = s.First + length - 1
	return s, 0 < length && length < claimed
}

// Span returns the part of a body that the response has. ok is false if that isn't known before the body is read.
func (a *Response) Span() (s Span, ok bool) {
	switch a.Status {
	case http.StatusOK:
		return Span{0, a.Length - 1, a.Length}, a.Length > 0
	case http.StatusPartialContent:
		if s, ok = ParseContentRange(a.Header.Get("Content-Range")); ok {
			return s.Cut(a.Length)
		}
	}
	return Span{}, false
}

const (
	// partReach is the distance in seconds within which captures count as parts of one body.
	partReach = 24 * 60 * 60
	// maxParts bounds the records that are opened to find a part.
	maxParts = 64
)

// Part looks for another part of the body that a is a part of: a player requests a film in pieces, and each piece is a
// capture. Part returns the open capture nearest to a that has the byte at a position, in a body of the same length;
// nil if there is none.
func (s *Archive) Part(ctx context.Context, o *timeline.Original, a *Response, at int64) (*Response, error) {
	want, ok := a.Span()
	if !ok {
		return nil, nil
	}
	opened := 0
	for c, err := range o.Closest(ctx, a.Capture.Time) {
		if err != nil {
			return nil, err
		}
		if a.Capture.Time.Distance(c.Time) > partReach || opened == maxParts {
			break
		}
		if !timeline.Usable(c) || c.Status != http.StatusPartialContent && c.Status != http.StatusOK {
			continue
		}
		opened++
		if part := s.openPart(ctx, c, want.Total, at); part != nil {
			return part, nil
		}
	}
	return nil, ctx.Err()
}

// openPart opens a capture if it has the byte at a position of a body of this length. It returns nil otherwise, and for unreadable
// captures.
func (s *Archive) openPart(ctx context.Context, c *cdx.Capture, total, at int64) *Response {
	a, err := s.Open(ctx, c)
	if err != nil {
		return nil
	}
	if span, ok := a.Span(); ok && span.Total == total && span.Has(at) {
		return a
	}
	a.Close()
	return nil
}
