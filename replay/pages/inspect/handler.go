package inspect

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/timeline"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler answers the inspector's page.
type Handler struct {
	archive *archive.Archive
	site    *respond.Site
	shared  respond.SharedFunc
	busy    Slots
	save    func(r *http.Request, coll, rule string) string
}

// Slots has a slot for each request that may parse and read pages.
type Slots chan struct{}

// Limits: requests that parse and read pages at the same time, and the wait of others. Each page takes much memory.
const (
	maxAtOnce  = 2
	maxWaiting = 10 * time.Second
)

// NewSlots returns the slots that all handlers of a server share.
func NewSlots() Slots { return make(Slots, maxAtOnce) }

// New returns the handler over an archive, for a site. save returns the address of the page on which a template can be saved, "" if none
// can be.
func New(
	a *archive.Archive, site *respond.Site, shared respond.SharedFunc, busy Slots, save func(r *http.Request, coll, rule string) string,
) *Handler {
	return &Handler{archive: a, site: site, shared: shared, busy: busy, save: save}
}

// wait waits for a slot, which done releases.
func (s *Handler) wait(ctx context.Context) error {
	waiting := time.NewTimer(maxWaiting)
	defer waiting.Stop()
	select {
	case s.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-waiting.C:
		return &respond.Failure{
			Status: http.StatusServiceUnavailable, Say: "too many pages are being read at the moment, try again soon",
			Header: http.Header{"Retry-After": {"10"}},
		}
	}
}

func (s *Handler) done() { <-s.busy }

// An inspection is the content of an answer: a page, an element of it, and its values in all versions.
type inspection struct {
	*ask
	p       respond.Path
	tl      *timeline.Timeline
	capture *cdx.Capture
	ranges  []change.Range
	fields  []fields.Field
	tmpl    *fields.Template // nil without fields
	chosen  *chosen          // nil if there is no field in the form
}

// Page answers /{coll}/inspect/{ts14}/{URI-R} and /{coll}/inspect?url=…&at=…&css=…: a page for browsers, else JSON or CSV.
func (s *Handler) Page(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	a, err := parse(p)
	if err != nil {
		return err
	}
	in := &inspection{ask: a, p: p}
	if in.tl, err = s.archive.Timelines.Spelled(r.Context(), p.Coll, p.URIR); err != nil {
		return err
	}
	ts, err := respond.Datetime(p)
	if err != nil {
		return err
	}
	if in.capture = nearestPage(in.tl, ts); in.capture == nil {
		return s.site.Missing(r, p)
	}
	browser := respond.IsBrowser(r) && a.output == ""
	if a.output == "" {
		respond.Vary(w.Header(), "Accept")
	}
	if browser && p.From != in.capture.Time.String() { // an address to be cited must name its capture
		respond.Redirect(w, s.address(in, nil))
		return nil
	}
	if in.ranges, err = in.tl.Ranges(a.level); err != nil {
		return err
	}
	if err := s.point(r.Context(), in); err != nil {
		return err
	}
	if a.params.Get("add") != "" && a.err == nil && in.hasField() {
		a.put()
		in.chosen, a.text = nil, formatTemplate(a.template, "")
	}
	if browser {
		return s.writePage(w, r, in)
	}
	if a.err != nil {
		return respond.BadRequest(a.err.Error())
	}
	if a.output == "csv" {
		return s.writeCSV(w, r, in)
	}
	return s.writeJSON(w, r, in)
}

// nearestPage returns the page captured nearest to a datetime or, if there is no page, the nearest capture; nil if there is none. The
// earlier one wins a tie.
func nearestPage(tl *timeline.Timeline, ts cdx.Timestamp) (found *cdx.Capture) {
	isPage := func(c *cdx.Capture) bool { return archive.IsHTML(c) && c.Status < http.StatusMultipleChoices }
	if c := tl.Memento(ts); c != nil && isPage(c) {
		return c
	}
	for i := range tl.Captures {
		c := &tl.Captures[i]
		if found == nil || isPage(c) && !isPage(found) || isPage(c) == isPage(found) && ts.Distance(c.Time) < ts.Distance(found.Time) {
			found = c
		}
	}
	return found
}

// point makes the selector for the chosen element, checks all fields, and applies the field in the form to the page. Invalid input
// becomes in.err.
func (s *Handler) point(ctx context.Context, in *inspection) error {
	if in.element < 0 && !in.hasField() && in.text == "" {
		return nil
	}
	if err := s.wait(ctx); err != nil {
		return err
	}
	defer s.done()
	if !archive.IsHTML(in.capture) || in.element < 0 && !in.hasField() {
		in.check()
		return nil
	}
	d, err := s.document(ctx, in.capture)
	if err != nil {
		return err
	}
	if in.element >= 0 {
		if in.chosen, err = s.choose(ctx, in.ask, d, in.tl, in.capture); err != nil {
			return err
		}
	}
	in.name()
	if in.check(); in.err == nil {
		in.chosen = in.chosen.find(ctx, d, &in.field)
	}
	return nil
}

// check compiles the fields, unless the template is wrong already.
func (in *inspection) check() {
	if in.hasField() {
		in.name()
	}
	if in.err != nil {
		return
	}
	t, list, err := in.compile()
	if in.err = err; err == nil && len(list) > 0 {
		in.tmpl, in.fields = t, list
	}
}

// reading returns the reading of the versions. in.fields must be set.
func (s *Handler) reading(in *inspection) *reading {
	rd := &reading{s: s, tl: in.tl, ranges: in.ranges, template: in.tmpl, known: map[string]content{}, key: in.rowKey()}
	for i := range in.fields {
		rd.names = append(rd.names, in.fields[i].Name)
	}
	return rd
}

// rowKey returns the name of the field that identifies a row: the first, unless another is requested. in.fields must be set.
func (in *inspection) rowKey() string {
	if in.key == "" && len(in.fields) > 0 {
		return in.fields[0].Name
	}
	return in.key
}

// address returns the address of an inspection with other parameters; nil keeps all, "" removes one.
func (s *Handler) address(in *inspection, other map[string]string) string {
	return s.site.Local(in.p.Coll).Endpoint("inspect", in.query(other).Encode())
}

func (in *inspection) query(other map[string]string) url.Values {
	v := maps.Clone(in.params)
	if v == nil {
		v = url.Values{}
	}
	v.Del("add")
	v.Set("url", in.p.URIR)
	v.Set("at", in.capture.Time.String())
	for name, value := range other {
		v.Del(name)
		if value != "" {
			v.Set(name, value)
		}
	}
	return v
}
