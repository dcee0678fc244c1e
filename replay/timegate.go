package replay

import (
	"context"
	"iter"
	"net/http"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// timeGate negotiates in time: URI-R ≠ URI-G ≠ URI-M, answered by 302 (RFC 7089 §4.2.1, pattern 2.1).
func (s *Server) timeGate(w http.ResponseWriter, r *http.Request, p Path) error {
	ts, err := acceptDatetime(r)
	if err != nil {
		return err
	}
	tl, err := s.timelines.get(r.Context(), p.Coll, surt.Of(p.URIR))
	if err != nil {
		return err
	}
	if len(tl.captures) == 0 {
		return s.missing(r, p)
	}
	if ts == 0 {
		ts = tl.captures[len(tl.captures)-1].Time
	}
	c, err := s.nearest(r.Context(), tl, ts)
	if err != nil {
		return err
	}
	if c == nil {
		return s.missing(r, p)
	}
	h := w.Header()
	allowOrigins(h)
	vary(h, "accept-datetime")
	h.Set("Link", memento.FormatLinks(s.absolute(r, p.Coll).TimeGateLinks(&memento.Neighbourhood{
		Original: p.URIR, First: &tl.captures[0], Last: &tl.captures[len(tl.captures)-1],
	})))
	redirect(w, s.absolute(r, p.Coll).Memento(c.Time, p.Mod, c.URL))
	return nil
}

// acceptDatetime reads the header; 0 where there is none, a failure of 400 where it is malformed (RFC 7089 §4.5.6).
func acceptDatetime(r *http.Request) (cdx.Timestamp, error) {
	v := r.Header.Get("Accept-Datetime")
	if v == "" {
		return 0, nil
	}
	ts, err := memento.ParseAcceptDatetime(v)
	if err != nil {
		return 0, &failure{
			status: http.StatusBadRequest, cause: err,
			say: "Accept-Datetime is malformed; it must look like Thu, 31 May 2007 20:35:00 GMT",
		}
	}
	return ts, nil
}

// nearest returns the capture that answers for ts: the nearest usable one, or nil where none is.
func (s *Server) nearest(ctx context.Context, tl *timeline, ts cdx.Timestamp) (*cdx.Capture, error) {
	for c, err := range memento.Preferred(ts, tl.closest(ts)) {
		if err != nil {
			return nil, err
		}
		if !usable(c) {
			continue
		}
		if best := tl.stands(c.Time); best != nil && s.readable(ctx, best) {
			return best, nil
		}
	}
	return nil, nil
}

// usable reports whether a capture can answer at all, as far as the index tells: a revisit without
// its original has no body, and a redirect to itself leads nowhere.
func usable(c *cdx.Capture) bool { return !c.Unresolved() && !toItself(c) }

// toItself reports whether a capture redirects to its own URI-R.
func toItself(c *cdx.Capture) bool {
	return isRedirect(c) && c.Redirect != "" && surt.Of(c.Redirect) == plainKey(c)
}

func isRedirect(c *cdx.Capture) bool { return c.Status >= 300 && c.Status <= 399 && c.Status != 304 }

// plainKey is the capture's key without what a request's method adds.
func plainKey(c *cdx.Capture) string {
	if strings.Contains(c.Key, "__wb_method=") {
		return surt.Of(c.URL)
	}
	return c.Key
}

// readable reports whether the record of c can be opened.
func (s *Server) readable(ctx context.Context, c *cdx.Capture) bool {
	rec, err := s.Records.Record(ctx, bodyOf(c))
	if err != nil {
		return false
	}
	rec.Close()
	return true
}

// closest yields the captures by distance from ts, nearest first, on a tie the earlier.
func (t *timeline) closest(ts cdx.Timestamp) iter.Seq2[*cdx.Capture, error] {
	return cdx.ByDistance(t.captures, ts)
}

// stands returns the capture that a URI-M of this second stands for: one that can be used before one that
// can't, a 2xx before others, a response before a revisit, then by file name and offset.
func (t *timeline) stands(ts cdx.Timestamp) *cdx.Capture {
	from, to := t.second(ts)
	var best *cdx.Capture
	for i := from; i < to; i++ {
		if c := &t.captures[i]; best == nil || merit(c) > merit(best) {
			best = c
		}
	}
	return best
}

func merit(c *cdx.Capture) int {
	m := 0
	if usable(c) {
		m += 4
	}
	if c.Status >= 200 && c.Status <= 299 {
		m += 2
	}
	if c.Kind != cdx.Revisit {
		m++
	}
	return m
}

func redirect(w http.ResponseWriter, to string) {
	w.Header().Set("Location", string(memento.AppendURI(nil, to)))
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusFound)
}

// vary adds names to Vary, each once.
func vary(h http.Header, names ...string) {
	have := strings.Join(h.Values("Vary"), ", ")
	for _, n := range names {
		if strings.Contains(strings.ToLower(have), strings.ToLower(n)) {
			continue
		}
		if have != "" {
			have += ", "
		}
		have += n
	}
	h.Set("Vary", have)
}
