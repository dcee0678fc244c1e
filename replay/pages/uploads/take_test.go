package uploads

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A timed writer counts the deadlines that are set for reading.
type timed struct {
	*httptest.ResponseRecorder
	deadlines int
}

// SetReadDeadline is what [http.ResponseController] calls.
func (t *timed) SetReadDeadline(time.Time) error { t.deadlines++; return nil }

// Each piece of a file has its own time to arrive, however large the file is.
func TestPiecesHaveTheirTime(t *testing.T) {
	for size, want := range map[int]int{0: 1, 1: 1, pieceSize: 2, 10*pieceSize - 1: 10} {
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		body := &pieces{Reader: strings.NewReader(strings.Repeat("x", size)), control: http.NewResponseController(w)}
		n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, body, make([]byte, 4<<10))
		if err != nil || n != int64(size) {
			t.Fatal(n, err)
		}
		if w.deadlines != want {
			t.Errorf("%d bytes: %d deadlines, want %d", size, w.deadlines, want)
		}
	}
}
