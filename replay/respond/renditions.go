package respond

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/requests"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/rendition"
)

const (
	maxList     = 4 << 20 // bytes of a list of renditions that is trimmed, which is held in memory as a whole
	maxPlaylist = 1 << 20 // bytes of a list of segments that is read to trim it
	maxFuzzy    = 64      // renditions of one text that are looked up by fuzzy matching
)

// trimmers has, for each format that lists renditions, the function that removes those that were never captured, so that no player chooses
// them.
var trimmers = map[rewrite.Format]func(list []byte, base string, a rendition.Archive) []byte{
	rewrite.FormatHLS: rendition.HLS, rewrite.FormatDASH: rendition.DASH,
}

// CapturesNear are the captures of a collection around a datetime. It implements [rendition.Archive].
type CapturesNear struct {
	Archive *archive.Archive
	Coll    string
	Time    cdx.Timestamp
	Log     *slog.Logger
	Ctx     context.Context // of the request

	fuzzy int // fuzzy lookups left
}

// trimmer returns the function that trims a body, by its format or its site's player; nil if there is none.
func (a *CapturesNear) trimmer(format rewrite.Format, base string) func(list []byte, base string, a rendition.Archive) []byte {
	switch format {
	case rewrite.FormatJSON, rewrite.FormatJS, rewrite.FormatHTML:
		if rendition.ForPlayer(base) {
			a.fuzzy = maxFuzzy
			return rendition.Player
		}
	}
	return trimmers[format]
}

// Trim removes the renditions that were never captured from a list of them, whose URI-R is base. Other formats have none.
// whole is the body from its start, trimmed or not; trimmed is nil if all stay.
func (a *CapturesNear) Trim(format rewrite.Format, body io.Reader, base string) (whole io.Reader, trimmed []byte, err error) {
	trim := a.trimmer(format, base)
	if trim == nil {
		return body, nil, nil
	}
	list, err := io.ReadAll(io.LimitReader(body, maxList))
	if err != nil {
		return nil, nil, err
	}
	if len(list) == maxList {
		return io.MultiReader(bytes.NewReader(list), body), nil, nil
	}
	out := trim(list, base, a)
	if bytes.Equal(out, list) {
		return bytes.NewReader(list), nil, nil
	}
	return bytes.NewReader(out), out, nil
}

// Has implements [rendition.Archive]. If captures can't be looked up, it finds none, so all renditions stay.
func (a *CapturesNear) Has(uris []string) []bool {
	has, err := a.Archive.Has(a.Ctx, a.Coll, a.Time, uris)
	if err != nil {
		a.Log.Error("looking up the renditions of a film", "error", err)
		return make([]bool, len(uris))
	}
	for i := 0; i < len(uris) && a.fuzzy > 0; i++ {
		if !has[i] {
			a.fuzzy--
			_, c, err := requests.Fuzzy(a.Ctx, a.Archive, a.Coll, surt.Of(uris[i]), a.Time)
			has[i] = err == nil && c != nil && c.Status < 400
		}
	}
	return has
}

func (a *CapturesNear) Read(uri string) []byte {
	text, err := a.read(uri)
	if err != nil {
		a.Log.Warn("reading a rendition of a film", "uri", uri, "error", err)
	}
	return text
}

func (a *CapturesNear) read(uri string) ([]byte, error) {
	tl, err := a.Archive.Timelines.Spelled(a.Ctx, a.Coll, uri)
	if err != nil {
		return nil, err
	}
	c, err := a.Archive.Timelines.Nearest(a.Ctx, tl, a.Time)
	if err != nil || c == nil || c.Status != http.StatusOK {
		return nil, err
	}
	response, err := a.Archive.Open(a.Ctx, c)
	if err != nil {
		return nil, err
	}
	defer response.Close()
	body, err := response.Decoded()
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(body, maxPlaylist))
	if err != nil || len(text) == maxPlaylist {
		return nil, err
	}
	return text, nil
}
