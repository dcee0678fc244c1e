package engine

import (
	"net/http"

	"github.com/varve-archive/varve/replay/respond"
)

// A checked writer sends a rewritten answer as long as its addresses can be looked up. It sends the status with the first bytes, so that
// an early failure can still become an error.
type checked struct {
	http.ResponseWriter
	m     *answer
	begun bool
}

func (w *checked) Write(b []byte) (int, error) {
	if w.m.lost != nil {
		return 0, w.m.lost
	}
	w.begin()
	return w.ResponseWriter.Write(b)
}

func (w *checked) begin() {
	if !w.begun {
		w.begun = true
		w.WriteHeader(w.m.a.Status)
	}
}

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (w *checked) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// stream writes a rewritten body. If an address in it can't be looked up, it returns the error or, if bytes were sent already, breaks off
// the answer.
func (m *answer) stream(rewritten func(http.ResponseWriter) error) error {
	w := respond.NewKeeper(m.w, m.keep)
	out := &checked{ResponseWriter: w, m: m}
	err := rewritten(out)
	if m.lost != nil {
		err = m.lost
		if !out.begun {
			return err
		}
	}
	if err != nil {
		m.logBroken(err)
		panic(http.ErrAbortHandler)
	}
	out.begin()
	if m.keep {
		m.s.cache.Keep(m.state, w.Page(m.generation))
	}
	return nil
}
