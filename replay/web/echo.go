package web

import (
	"bytes"
	"io"
	"net/http"

	"github.com/varve-archive/varve/archive/meaning"
)

// maxEcho bounds the text that is held in memory to change what it repeats of its request.
const maxEcho = 4 << 20

// Echoes returns what the answer to another request must repeat of this one. captured and requested are the URI-Rs of the two.
func Echoes(h http.Header, captured, requested string) []meaning.Echo {
	if h.Get(FuzzyHeader) == "" {
		return nil
	}
	return meaning.Echoes(captured, requested)
}

// Echo repeats in a text what was asked. text is nil if nothing changes; whole is the body from its start in any case.
func Echo(body io.Reader, echoes []meaning.Echo) (whole io.Reader, text []byte, err error) {
	if len(echoes) == 0 {
		return body, nil, nil
	}
	held, err := io.ReadAll(io.LimitReader(body, maxEcho))
	switch {
	case err != nil:
		return nil, nil, err
	case len(held) == maxEcho:
		return io.MultiReader(bytes.NewReader(held), body), nil, nil
	}
	if out := meaning.Rewrite(held, echoes); !bytes.Equal(out, held) {
		return bytes.NewReader(out), out, nil
	}
	return bytes.NewReader(held), nil, nil
}
