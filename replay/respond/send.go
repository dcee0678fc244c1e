package respond

import (
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/archive"
)

// A Sending sends the body of an answer: the whole, or the requested ranges.
type Sending struct {
	W      http.ResponseWriter
	R      *http.Request
	Status int
	Length int64                         // of the body, -1 if unknown
	Again  func() (io.ReadCloser, error) // opens the body again from its start
	Failed func(error) error             // returns the answer if reading fails before the head is sent
	Broke  func(error)                   // called with the reason if an answer ends early
}

// Send streams body. Ranges of a captured 206 are positions in the whole body, of which the capture holds a part.
func (s *Sending) Send(body io.Reader) error {
	h := s.W.Header()
	if done, err := Conditions(s.W, s.R, s.Status); done || err != nil {
		return err
	}
	span, ranged, err := s.span()
	if err != nil {
		return err
	}
	if ranged {
		h.Set("Accept-Ranges", "bytes")
		if done, err := s.parts(body, span); done {
			return err
		}
	}
	if s.Length >= 0 && !Bodyless(s.Status) {
		h.Set("Content-Length", strconv.FormatInt(s.Length, 10))
	}
	s.W.WriteHeader(s.Status)
	return s.copy(body)
}

// span returns the part of the body that is sent. ok is false for an answer without ranges. If the length is unknown and a range is
// requested, span measures the body by reading it once more.
func (s *Sending) span() (span archive.Span, ok bool, err error) {
	switch s.Status {
	case http.StatusPartialContent:
		if span, ok = archive.ParseContentRange(s.W.Header().Get("Content-Range")); ok {
			span, ok = span.Cut(s.Length)
		}
		return span, ok, nil
	case http.StatusOK:
		if s.Length < 0 && s.R.Header.Get("Range") != "" {
			s.Length, err = s.measure()
		}
		return archive.Span{First: 0, Last: s.Length - 1, Total: s.Length}, err == nil, err
	}
	return archive.Span{}, false, nil
}

// Bodyless reports whether an answer has no body, whatever its header says (RFC 9110 §6.4.1).
func Bodyless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// measure counts the bytes of the body as it will be sent.
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

// copy streams the body. An error can now only end the connection, as the status has been sent.
func (s *Sending) copy(body io.Reader) error {
	if s.R.Method == http.MethodHead || Bodyless(s.Status) {
		return nil
	}
	if _, err := io.Copy(s.W, body); err != nil {
		return s.brokeOff(err)
	}
	return nil
}

// brokeOff ends the connection in the middle of an answer, so that no client takes a part for the whole.
func (s *Sending) brokeOff(err error) error {
	s.Broke(err)
	_ = http.NewResponseController(s.W).Flush() // what could be read is better than no answer
	panic(http.ErrAbortHandler)
}

// BreakOff logs err and ends the connection in the middle of an answer, so that no client takes a part for the whole.
func BreakOff(log *slog.Logger, r *http.Request, err error) error {
	if r.Context().Err() == nil {
		log.Error("answer broke off", "target", r.RequestURI, "error", err)
	}
	panic(http.ErrAbortHandler)
}
