package web

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
)

// A Sending is the body of an answer on its way: whole, or the range of it that was asked for.
type Sending struct {
	W      http.ResponseWriter
	R      *http.Request
	Status int
	Length int64                         // of the body, -1 where only reading it tells
	Again  func() (io.ReadCloser, error) // the body from its start once more, to learn its length
	Failed func(error) error             // what to answer where reading fails before the head is out
	Broke  func(error)                   // learns why an answer ends before its body does
}

// Send streams body.
func (s *Sending) Send(body io.Reader) error {
	h := s.W.Header()
	if NotModified(s.W, s.R, s.Status) {
		return nil
	}
	if s.Status == http.StatusOK {
		h.Set("Accept-Ranges", "bytes")
		spec := s.R.Header.Get("Range")
		if spec != "" && s.R.Method == http.MethodGet && mayRange(s.R, h.Get("ETag")) {
			return s.part(spec, body)
		}
	}
	if s.Length >= 0 && !Bodyless(s.Status) {
		h.Set("Content-Length", strconv.FormatInt(s.Length, 10))
	}
	s.W.WriteHeader(s.Status)
	return s.copy(body)
}

// Bodyless reports whether an answer has no body, whatever its header says (RFC 9110 §6.4.1).
func Bodyless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// part answers a range of a 200 capture with 206, so that videos seek. A body of unknown length is
// measured first, by opening the record once more.
func (s *Sending) part(spec string, body io.Reader) error {
	h := s.W.Header()
	if s.Length < 0 {
		var err error
		if s.Length, err = s.measure(); err != nil {
			return err
		}
	}
	b, ok := parseRange(spec, s.Length)
	switch {
	case !ok:
		h.Set("Content-Length", strconv.FormatInt(s.Length, 10))
		s.W.WriteHeader(s.Status)
		return s.copy(body)
	case b.first < 0:
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", s.Length))
		h.Del("Content-Length")
		s.W.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return nil
	}
	h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", b.first, b.last, s.Length))
	h.Set("Content-Length", strconv.FormatInt(b.last-b.first+1, 10))
	if _, err := io.CopyN(io.Discard, body, b.first); err != nil {
		return s.Failed(err)
	}
	s.W.WriteHeader(http.StatusPartialContent)
	return s.copy(io.LimitReader(body, b.last-b.first+1))
}

// measure counts the bytes of the body as it is being sent.
func (s *Sending) measure() (int64, error) {
	body, err := s.Again()
	if err != nil {
		return 0, err
	}
	defer body.Close()
	n, err := io.Copy(io.Discard, body)
	if err != nil {
		return 0, s.Failed(err)
	}
	return n, nil
}

// copy streams the body. What goes wrong now can only end the connection: the status is out.
func (s *Sending) copy(body io.Reader) error {
	if s.R.Method == http.MethodHead || Bodyless(s.Status) {
		return nil
	}
	if _, err := io.Copy(s.W, body); err != nil {
		return s.brokeOff(err)
	}
	return nil
}

// brokeOff ends the connection under an answer whose head is out, so that no client takes the half for the whole.
func (s *Sending) brokeOff(err error) error {
	s.Broke(err)
	panic(http.ErrAbortHandler)
}

// BreakOff ends the connection under an answer whose head is out, so that no client takes the half for the whole.
func BreakOff(log *slog.Logger, r *http.Request, err error) error {
	if r.Context().Err() == nil {
		log.Error("answer broke off", "target", r.RequestURI, "error", err)
	}
	panic(http.ErrAbortHandler)
}
