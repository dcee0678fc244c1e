package respond

import (
	"encoding/csv"
	"mime"
	"net/http"
)

// sendSize is how much of a streamed answer is collected before it is flushed.
const sendSize = 32 << 10

// A Streaming flushes what it writes from time to time, since a writer below may hold it back to compress more at once.
type Streaming struct {
	W    http.ResponseWriter
	held int
}

func (s *Streaming) Write(p []byte) (int, error) {
	n, err := s.W.Write(p)
	if s.held += n; err == nil && s.held >= sendSize {
		s.held = 0
		_ = http.NewResponseController(s.W).Flush() // if it fails, the data is sent later
	}
	return n, err
}

// Table sets the headers of a CSV file of this name, and returns what writes it in parts.
func Table(w http.ResponseWriter, name string) *csv.Writer {
	h := w.Header()
	AllowOrigins(h)
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	out := csv.NewWriter(&Streaming{W: w})
	out.UseCRLF = true // RFC 4180
	return out
}
