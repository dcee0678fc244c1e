package loadlimit

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// readAhead is how much of a body is read before the handler is called. varve's handlers read no more.
const readAhead = 16 << 10

// limitBodies limits the time in which the body of a request must arrive, including the part that the handler leaves unread, because
// net/http waits for it after the response. The beginning of the body is read before next is called, so that a client that withholds its
// body takes no place in a [Queue] behind it: it gets a 408 (RFC 9110 §15.5.9).
func limitBodies(next http.Handler, wait time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body == http.NoBody || control.SetReadDeadline(time.Now().Add(wait)) != nil {
			next.ServeHTTP(w, r)
			return
		}
		begin, err := io.ReadAll(io.LimitReader(r.Body, readAhead))
		if err != nil {
			w.Header().Set("Connection", "close")
			http.Error(w, "the request's body did not arrive: send it again", http.StatusRequestTimeout)
			return
		}
		r.Body = &joined{Reader: io.MultiReader(bytes.NewReader(begin), r.Body), Closer: r.Body}
		next.ServeHTTP(w, r)
	})
}

// A joined is a body whose beginning was read already.
type joined struct {
	io.Reader
	io.Closer
}
