package pictures

import (
	"errors"
	"io/fs"
	"net/http"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handlers for pictures.
type Handler struct {
	archive *archive.Archive
	site    *respond.Site
	shared  respond.SharedFunc
}

// New returns the handlers over an archive, for a site.
func New(a *archive.Archive, site *respond.Site, shared respond.SharedFunc) *Handler {
	return &Handler{a, site, shared}
}

const noneMade = "no picture was made of this version: varve render makes them, and a server with --render does while nobody asks"

// none says why there is no picture.
func none(p *visual.Picture) error {
	if p == nil {
		return respond.NotFound(noneMade)
	}
	return respond.NotFound("there is no picture of this version: " + p.Sentence())
}

// Thumbnail answers /{coll}/thumb/{ts14}/{URI-R} with the picture of the version valid then, small unless size=full.
func (h *Handler) Thumbnail(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ts, err := respond.Datetime(p)
	if err != nil {
		return err
	}
	reel, tl, err := h.reel(r, p)
	if err != nil {
		return err
	}
	if tl == nil {
		return respond.NotFound("this address was never archived, so there is no picture of it")
	}
	picture := reel.At(ts)
	if picture == nil {
		return none(reel.Picture(ts))
	}
	file := picture.Thumb
	switch size := p.Params.Get("size"); size {
	case "", "small":
	case "full":
		file = picture.Image
	default:
		return respond.BadRequest("the size of a picture is small or full")
	}
	return h.send(w, r, picture, file)
}

// reel returns the pictures of the URI-R of a path; tl is nil if it has no captures.
func (h *Handler) reel(r *http.Request, p respond.Path) (*film.Reel, *timeline.Timeline, error) {
	tl, err := h.archive.Timelines.Spelled(r.Context(), p.Coll, p.URIR)
	if err != nil || len(tl.Captures) == 0 {
		return nil, nil, err
	}
	reel, err := film.Of(r.Context(), h.archive, h.site.Local(p.Coll), tl, p.URIR)
	return reel, tl, err
}

// send sends an image. Caches must revalidate it, since rules may change.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, p *visual.Picture, file visual.File) error {
	f, err := h.archive.Pictures.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return respond.NotFound(noneMade)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	header := w.Header()
	respond.AllowOrigins(header)
	header.Set("Content-Type", file.Type)
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", `"`+file.Hash[:32]+`"`)
	http.ServeContent(w, r, "", p.Time.Time(), f)
	return nil
}

// pair returns the captures nearest to the two datetimes of a path, the older one first.
func (h *Handler) pair(r *http.Request, p respond.Path, tl *timeline.Timeline) (older, newer *cdx.Capture, err error) {
	var found [2]*cdx.Capture
	for i, at := range []string{p.From, p.To} {
		ts, err := cdx.ParseAsked(at)
		if err != nil {
			return nil, nil, respond.BadRequest("two datetimes are needed, as in " +
				h.site.Local(p.Coll).Visual(20140101000000, 20150101000000, p.URIR))
		}
		if found[i], err = h.archive.Timelines.Nearest(r.Context(), tl, ts); err != nil {
			return nil, nil, err
		}
		if found[i] == nil {
			return nil, nil, respond.NotFound("this address has no capture that can be shown")
		}
	}
	if found[0].Time > found[1].Time {
		found[0], found[1] = found[1], found[0]
	}
	return found[0], found[1], nil
}
