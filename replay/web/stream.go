package web

import "net/http"

// sendSize is how much of a streamed answer is gathered before it is sent on.
const sendSize = 32 << 10

// A Streaming sends on what it gets, for a writer below may hold it back to compress more of it together.
type Streaming struct {
	W    http.ResponseWriter
	held int
}

// Write implements [io.Writer].
func (s *Streaming) Write(p []byte) (int, error) {
	n, err := s.W.Write(p)
	if s.held += n; err == nil && s.held >= sendSize {
		s.held = 0
		_ = http.NewResponseController(s.W).Flush() // where it can't be, it comes later
	}
	return n, err
}
