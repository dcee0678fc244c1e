package respond

import (
	"bytes"
	"io"
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/fuzzy"
	"github.com/varve-archive/varve/archive/requests"
	"github.com/varve-archive/varve/cdx"
)

// maxEcho bounds the text that is buffered in order to adapt it to its request.
const maxEcho = 4 << 20

// Echoes returns the parts of this request that the captured answer to another one must repeat. uriR is the requested URI-R.
func Echoes(h http.Header, r *http.Request, a *archive.Archive, captured *cdx.Capture, uriR string) ([]fuzzy.Echo, error) {
	if h.Get(FuzzyHeader) == "" {
		return nil, nil
	}
	if Reads(r) {
		return fuzzy.Echoes(&fuzzy.Request{URIR: captured.URL}, &fuzzy.Request{URIR: uriR}), nil
	}
	requested, err := sentBy(r, uriR)
	if err != nil || !fuzzy.Repeats(requested.Key()) {
		return nil, err
	}
	held, err := requests.Of(r.Context(), a, captured)
	if held == nil || err != nil { // it was not stored, so the answer is sent unchanged
		return nil, nil
	}
	return fuzzy.Echoes(held, requested), nil
}

// Echo replaces what a text repeats of its request. text is nil if nothing changes; whole is the body from its start in any case.
func Echo(body io.Reader, echoes []fuzzy.Echo) (whole io.Reader, text []byte, err error) {
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
	if out := fuzzy.Rewrite(held, echoes); !bytes.Equal(out, held) {
		return bytes.NewReader(out), out, nil
	}
	return bytes.NewReader(held), nil, nil
}
