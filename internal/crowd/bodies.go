package crowd

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// Bodies limits the time in which the body of a request must arrive. The part that the handler leaves unread counts
// too, because net/http waits for it after the answer.
func Bodies(next http.Handler, wait time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			control := http.NewResponseController(w)
			if control.SetReadDeadline(time.Now().Add(wait)) == nil {
				r.Body = &body{ReadCloser: r.Body, control: control}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// A body removes its deadline once it has arrived, since that would end the answer.
type body struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
