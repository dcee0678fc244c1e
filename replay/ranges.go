package replay

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// A byteRange is one range of a body; last is inclusive.
type byteRange struct{ first, last int64 }

// parseRange reads a Range header of one range (RFC 9110 §14.2). ok is false where the header is to be ignored:
// another unit, several ranges, or no range at all. A range that begins behind the end has first < 0.
// A last position behind the end is cut to it. total is -1 where it isn't known, then only ranges with a first position are.
func parseRange(spec string, total int64) (b byteRange, ok bool) {
	set, ok := strings.CutPrefix(strings.TrimSpace(spec), "bytes=")
	if !ok || strings.Contains(set, ",") {
		return b, false
	}
	from, to, ok := strings.Cut(strings.TrimSpace(set), "-")
	if !ok {
		return b, false
	}
	first, err1 := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	switch {
	case from == "" && err2 == nil && last > 0 && total > 0: // the last bytes
		return byteRange{max(0, total-last), total - 1}, true
	case from == "" && err2 == nil:
		return byteRange{-1, -1}, true
	case err1 != nil || first < 0 || to != "" && (err2 != nil || last < first):
		return b, false
	case first >= total:
		return byteRange{-1, -1}, true
	case to == "" || last >= total:
		last = total - 1
	}
	return byteRange{first, last}, true
}

// part answers a range of a 200 capture with 206, so that videos seek. A body of unknown length is
// measured first, by opening the record once more.
func (m *answer) part(spec string, body io.Reader, length int64) error {
	h := m.w.Header()
	if length < 0 {
		var err error
		if length, err = m.measure(); err != nil {
			return err
		}
	}
	b, ok := parseRange(spec, length)
	switch {
	case !ok:
		h.Set("Content-Length", strconv.FormatInt(length, 10))
		m.w.WriteHeader(m.a.status)
		return m.copy(body)
	case b.first < 0:
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", length))
		h.Del("Content-Length")
		m.w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return nil
	}
	h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", b.first, b.last, length))
	h.Set("Content-Length", strconv.FormatInt(b.last-b.first+1, 10))
	if _, err := io.CopyN(io.Discard, body, b.first); err != nil {
		return unreadable(m.a.capture, err)
	}
	m.w.WriteHeader(http.StatusPartialContent)
	return m.copy(io.LimitReader(body, b.last-b.first+1))
}

// measure counts the bytes of the body as it is being sent.
func (m *answer) measure() (int64, error) {
	again, err := m.s.open(m.r.Context(), m.a.capture)
	if err != nil {
		return 0, err
	}
	defer again.Close()
	second := &answer{s: m.s, r: m.r, a: again, use: m.use}
	body := again.body
	if m.w.Header().Get("Content-Encoding") == "" {
		if body, err = second.decoded(); err != nil {
			return 0, unreadable(m.a.capture, err)
		}
	}
	n, err := io.Copy(io.Discard, body)
	if err != nil {
		return 0, unreadable(m.a.capture, err)
	}
	return n, nil
}
