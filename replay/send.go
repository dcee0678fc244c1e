package replay

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
)

// A sending is the body of an answer on its way: whole, or the range of it that was asked for.
type sending struct {
	w      http.ResponseWriter
	r      *http.Request
	status int
	length int64                         // of the body, -1 where only reading it tells
	again  func() (io.ReadCloser, error) // the body from its start once more, to learn its length
	failed func(error) error             // what to answer where reading fails before the head is out
	broke  func(error)                   // learns why an answer ends before its body does
}

// send streams body.
func (s *sending) send(body io.Reader) error {
	h := s.w.Header()
	if s.status == http.StatusOK {
		h.Set("Accept-Ranges", "bytes")
		// No answer has a validator, so what If-Range names can't be matched: the whole is sent (RFC 9110 §13.1.5).
		spec := s.r.Header.Get("Range")
		if spec != "" && s.r.Method == http.MethodGet && s.r.Header.Get("If-Range") == "" {
			return s.part(spec, body)
		}
	}
	if s.length >= 0 && !bodyless(s.status) {
		h.Set("Content-Length", strconv.FormatInt(s.length, 10))
	}
	s.w.WriteHeader(s.status)
	return s.copy(body)
}

// bodyless reports whether an answer has no body, whatever its header says (RFC 9110 §6.4.1).
func bodyless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// part answers a range of a 200 capture with 206, so that videos seek. A body of unknown length is
// measured first, by opening the record once more.
func (s *sending) part(spec string, body io.Reader) error {
	h := s.w.Header()
	if s.length < 0 {
		var err error
		if s.length, err = s.measure(); err != nil {
			return err
		}
	}
	b, ok := parseRange(spec, s.length)
	switch {
	case !ok:
		h.Set("Content-Length", strconv.FormatInt(s.length, 10))
		s.w.WriteHeader(s.status)
		return s.copy(body)
	case b.first < 0:
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", s.length))
		h.Del("Content-Length")
		s.w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return nil
	}
	h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", b.first, b.last, s.length))
	h.Set("Content-Length", strconv.FormatInt(b.last-b.first+1, 10))
	if _, err := io.CopyN(io.Discard, body, b.first); err != nil {
		return s.failed(err)
	}
	s.w.WriteHeader(http.StatusPartialContent)
	return s.copy(io.LimitReader(body, b.last-b.first+1))
}

// measure counts the bytes of the body as it is being sent.
func (s *sending) measure() (int64, error) {
	body, err := s.again()
	if err != nil {
		return 0, err
	}
	defer body.Close()
	n, err := io.Copy(io.Discard, body)
	if err != nil {
		return 0, s.failed(err)
	}
	return n, nil
}

// copy streams the body. What goes wrong now can only end the connection: the status is out.
func (s *sending) copy(body io.Reader) error {
	if s.r.Method == http.MethodHead || bodyless(s.status) {
		return nil
	}
	if _, err := io.Copy(s.w, body); err != nil {
		return s.brokeOff(err)
	}
	return nil
}

// brokeOff ends the connection under an answer whose head is out, so that no client takes the half for the whole.
func (s *sending) brokeOff(err error) error {
	s.broke(err)
	panic(http.ErrAbortHandler)
}

// breakOff ends the connection under an answer whose head is out, so that no client takes the half for the whole.
func breakOff(log *slog.Logger, r *http.Request, err error) error {
	if r.Context().Err() == nil {
		log.Error("answer broke off", "target", r.RequestURI, "error", err)
	}
	panic(http.ErrAbortHandler)
}
