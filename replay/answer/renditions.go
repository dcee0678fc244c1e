package answer

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/rendition"
)

// maxList bounds the size of a list of renditions that is trimmed, which is held in memory as a whole.
const maxList = 4 << 20

// A trim removes from a list of renditions those that were never captured: a player must not choose them.
type trim = func(list []byte, base string, captured rendition.Captured) []byte

// trims maps the formats that list renditions to what trims them.
var trims = map[rewrite.Format]trim{rewrite.FormatHLS: rendition.HLS, rewrite.FormatDASH: rendition.DASH}

// trimmed reads the body and removes the renditions that were not captured. trimmed is nil if all stay.
func (m *answer) trimmed(trim trim, body io.Reader) (whole io.Reader, trimmed []byte, err error) {
	list, err := io.ReadAll(io.LimitReader(body, maxList))
	if err != nil {
		return nil, nil, archive.Unreadable(m.a.Capture, err)
	}
	if len(list) == maxList {
		return io.MultiReader(bytes.NewReader(list), body), nil, nil
	}
	out := trim(list, m.a.Capture.URL, m.captured)
	if len(out) == len(list) {
		return bytes.NewReader(list), nil, nil
	}
	return bytes.NewReader(out), out, nil
}

// sendTrimmed sends a list to a script, which gets it as the archived server would have sent it, with its URIs.
func (m *answer) sendTrimmed(list []byte) error {
	m.head(true)
	m.validRewritten()
	m.w.Header().Set("Content-Length", strconv.Itoa(len(list)))
	m.w.WriteHeader(m.a.Status)
	if m.r.Method == http.MethodHead {
		return nil
	}
	if _, err := m.w.Write(list); err != nil {
		m.logBroken(err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// captured reports for each URI-R whether the collection has a usable capture of it.
func (m *answer) captured(uris []string) []bool {
	out, keys := make([]bool, len(uris)), make([]string, len(uris))
	for i, uri := range uris {
		keys[i] = surt.Of(uri)
	}
	if err := m.nearest(keys, func(i int, _ *cdx.Capture) { out[i] = true }); err != nil {
		m.s.Log.Error("looking up the renditions of a film", "target", m.r.RequestURI, "error", err)
		return make([]bool, len(uris)) // if none was found, all stay
	}
	return out
}
