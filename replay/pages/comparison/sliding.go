package comparison

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"github.com/varve-archive/varve/replay/pages/versions"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/film"
	"github.com/varve-archive/varve/replay/respond"
)

// A slide is one pair of neighbouring versions (validity ranges at one level) of a URI-R, and where the others are.
type slide struct {
	comparison // last capture of the older version and first of the newer, which is nil if there is one version
	ranges     []change.Range
	versions   map[change.Level]int // number of versions at each level
	index      int                  // of the pair, and of its older version
	places     termPlaces
	unshown    *respond.Failure // why the texts of the two captures can't be shown: one can't be read now, or is blocked
	uris       memento.URIs
	uriR       string
}

// Sliding answers /{coll}/diff/{URI-R} and /{coll}/diff?url=…&at=…&term=…: a page for browsers, else JSON.
func (h *Handler) Sliding(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	browser := respond.IsBrowser(r)
	uris := h.site.Absolute(r, p.Coll)
	if browser {
		uris = h.site.Local(p.Coll)
	}
	sl, err := h.slide(r.Context(), p, uris)
	if err != nil {
		return err
	}
	if sl == nil {
		return h.site.Missing(r, p)
	}
	respond.Vary(w.Header(), "Accept")
	if !browser {
		if sl.unshown != nil {
			return sl.unshown
		}
		return respond.WriteJSON(w, r, sl.answer())
	}
	status := http.StatusOK
	if f := sl.unshown; f != nil {
		status = f.Status
		maps.Copy(w.Header(), f.Header)
	}
	v := sl.view()
	v.Page = h.shared(r, p)
	if err := h.picture(r, p, sl, &v); err != nil {
		return err
	}
	return respond.Render(w, r, status, Slider(v))
}

// picture fills in the pictures of the versions.
func (h *Handler) picture(r *http.Request, p respond.Path, sl *slide, v *SliderView) error {
	reel, err := film.Of(r.Context(), h.archive, sl.uris, sl.tl, p.URIR)
	if err != nil {
		return err
	}
	if sl.newer == nil {
		v.Film = reel.Versions(sl.older.Time)
		return nil
	}
	v.Film, v.Pair.Visual = reel.Versions(sl.older.Time, sl.newer.Time), reel.Visual(sl.older.Time, sl.newer.Time)
	v.Image = reel.Image(h.site.Absolute(r, p.Coll), sl.newer.Time)
	return nil
}

// slide finds the requested pair, or returns nil if the URI-R has no captures.
func (h *Handler) slide(ctx context.Context, p respond.Path, uris memento.URIs) (*slide, error) {
	c, err := h.begin(ctx, p)
	if err != nil || c == nil {
		return nil, err
	}
	sl := &slide{comparison: *c, uris: uris, uriR: p.URIR}
	if sl.ranges, err = c.tl.Ranges(c.level); err != nil {
		return nil, err
	}
	if sl.versions, err = versionCounts(c.tl); err != nil {
		return nil, err
	}
	index, asked, err := askedPair(sl.ranges, p.Params)
	if err != nil {
		return nil, err
	}
	terms := h.newTermSearch(ctx, sl)
	if !asked && c.wanted != nil {
		if index, err = terms.newest(ctx); err != nil {
			return nil, err
		}
	}
	return sl, h.show(ctx, sl, index, terms)
}

// show reads the texts of a pair and searches around it for the wanted words.
func (h *Handler) show(ctx context.Context, sl *slide, index int, terms *termSearch) error {
	sl.index = index
	sl.older = &sl.tl.Captures[sl.ranges[index].LastIndex]
	if len(sl.ranges) > 1 {
		sl.newer = &sl.tl.Captures[sl.ranges[index+1].FirstIndex]
	}
	err := h.readVersions(ctx, sl)
	if err == nil {
		sl.compare()
		err = h.comparePictures(ctx, &sl.comparison)
	} else if isUnshown(err) {
		sl.unshown, err = respond.AsFailure(err), nil
	}
	if err != nil {
		return err
	}
	sl.places, err = terms.around(ctx)
	return err
}

// isUnshown reports whether an error says that a text can't be read now, or that access rules block it.
func isUnshown(err error) bool {
	status := respond.AsFailure(err).Status
	return status == http.StatusServiceUnavailable || status == http.StatusUnavailableForLegalReasons
}

// readVersions reads the texts of a pair, from whichever captures of the two versions are readable.
func (h *Handler) readVersions(ctx context.Context, sl *slide) (err error) {
	for i, c := range []*cdx.Capture{sl.older, sl.newer} {
		if c == nil || c.Text == 0 {
			continue
		}
		if sl.texts[i], err = h.archive.VersionText(ctx, sl.tl, sl.ranges[sl.index+i].First, c.Text); err != nil {
			return err
		}
	}
	return nil
}

// askedPair returns the pair that the parameters name. at names the version that was valid at a datetime, compared with
// the next; index is the number of a pair, from 0. If both are there, at decides.
func askedPair(ranges []change.Range, params url.Values) (index int, asked bool, err error) {
	last := max(len(ranges)-2, 0)
	n, noNumber := strconv.Atoi(params.Get("index"))
	if noNumber == nil {
		n = min(max(n, 0), last)
	} else if params.Get("index") != "" {
		return 0, false, respond.BadRequest("the index of a pair of versions is a number from 0")
	}
	at := params.Get("at")
	if at == "" {
		if noNumber == nil {
			return n, true, nil
		}
		return last, false, nil
	}
	ts, err := cdx.ParseAsked(at)
	if err != nil {
		return 0, false, respond.BadRequest("at takes a datetime of 1 to 14 digits, as in at=20160901")
	}
	return min(max(timeline.RangeOf(ranges, ts), 0), last), true, nil
}

func (sl *slide) pairs() int { return len(sl.ranges) - 1 }

// link returns the address of a pair. It stays valid when captures are added, as it names the last datetime of the older version.
func (sl *slide) link(pair int) string {
	v := sl.params(url.Values{"url": {sl.uriR}, "at": {sl.ranges[pair].Last.String()}})
	return sl.uris.Endpoint("diff", v.Encode())
}

// linkTo is link, but returns "" for a pair that does not exist.
func (sl *slide) linkTo(pair int) string {
	if pair < 0 || pair >= sl.pairs() {
		return ""
	}
	return sl.link(pair)
}

// steps returns the links to the first, previous, next and last pair; "" stands for the current pair or none.
func (sl *slide) steps() Steps {
	steps := Steps{Earlier: sl.linkTo(sl.index - 1), Later: sl.linkTo(sl.index + 1)}
	if steps.Earlier != "" {
		steps.First = sl.link(0)
	}
	if steps.Later != "" {
		steps.Last = sl.link(sl.pairs() - 1)
	}
	return steps
}

// versionCounts returns the number of versions at each level, without visual if there are no pictures.
func versionCounts(tl *timeline.Timeline) (n map[change.Level]int, err error) {
	n = map[change.Level]int{}
	for _, l := range versions.Levels() {
		ranges, err := tl.Ranges(l)
		if errors.Is(err, timeline.ErrNotPictured) {
			continue
		}
		if err != nil {
			return n, err
		}
		n[l] = len(ranges)
	}
	return n, nil
}

// atLevel returns the address of the same moment among the versions at another level.
func (sl *slide) atLevel(l change.Level) string {
	moved := sl.comparison
	moved.level = l
	return moved.sliderURI(sl.uris, sl.uriR)
}
