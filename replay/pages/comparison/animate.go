package comparison

import (
	"net/http"
	"net/url"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// Limits of an animation, so that the page doesn't get slow.
const (
	maxSteps    = 500
	maxStepText = 512 << 10 // bytes of all deleted and inserted text
)

// An AnimationAnswer is the answer of /{coll}/animate: how the text of one capture became that of another, step by
// step.
type AnimationAnswer struct {
	OriginalURI string          `json:"original_uri"`
	From        DiffEnd         `json:"from"`
	To          DiffEnd         `json:"to"`
	Term        string          `json:"term"`  // if set, only the steps that delete or insert it
	Total       int             `json:"total"` // number of steps, which is more than Steps holds if there are too many
	Steps       []AnimationStep `json:"steps"`
}

// An AnimationStep is one place in the older text. At is the number of characters of the body before it, in UTF-16 code
// units and without white space.
type AnimationStep struct {
	Op       string `json:"op"` // deleted, inserted or replaced
	Deleted  string `json:"deleted"`
	Inserted string `json:"inserted"`
	At       int    `json:"at"`
	Before   string `json:"before_context"`
	After    string `json:"after_context"`
	Title    bool   `json:"title"` // in the title of the page; then At counts from the start of the title
}

// An animation is played between two captures.
type animation struct {
	*comparison
	steps []diff.Step
	total int
}

// Animate answers /{coll}/animate/{tsA}/{tsB}/{URI-R}: browsers get the older page, whose text turns into that of the
// newer one, others JSON. The older capture comes first, in whatever order they are requested.
func (h *Handler) Animate(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	c, err := h.pair(r.Context(), p)
	if err != nil {
		return err
	}
	if c == nil {
		return h.site.Missing(r, p)
	}
	respond.Vary(w.Header(), "Accept")
	if !respond.IsBrowser(r) {
		return respond.WriteJSON(w, r, newAnimation(c).answer(h.site.Absolute(r, p.Coll), p.URIR))
	}
	if !c.isNamedBy(p) { // an address to be cited must name its captures
		respond.Redirect(w, animateURI(h.site.Local(p.Coll), c.older.Time, c.newer.Time, p.URIR, c.wanted))
		return nil
	}
	return h.playOrExplain(w, r, p, c)
}

// isNamedBy reports whether a path names exactly these two captures, in their order.
func (c *comparison) isNamedBy(p respond.Path) bool {
	return p.From == c.older.Time.String() && p.To == c.newer.Time.String()
}

// animateURI returns the address of an animation; with w, only of the steps that delete or insert what is wanted.
func animateURI(uris memento.URIs, a, b cdx.Timestamp, uriR string, w *wanted) string {
	if w == nil {
		return uris.Animate(a, b, uriR)
	}
	return uris.Endpoint("animate", url.Values{"url": {uriR}, "from": {a.String()}, "to": {b.String()}, "term": {w.q}}.Encode())
}

// watchURI returns the address of a diff's animation, or "" if there is none or the older page would show nothing.
func (c *comparison) watchURI(uris memento.URIs, uriR string) string {
	if c.away || c.noText() || c.noPage() || c.older.Text == c.newer.Text || !archive.IsHTML(c.older) {
		return ""
	}
	return animateURI(uris, c.older.Time, c.newer.Time, uriR, c.wanted)
}

func newAnimation(c *comparison) *animation {
	a := &animation{comparison: c}
	if c.noText() {
		return a
	}
	a.steps = diff.Steps(&c.texts[0], &c.texts[1])
	if c.wanted != nil {
		a.steps = diff.Touching(a.steps, &c.texts[0], &c.texts[1], c.wanted.places)
	}
	a.total = len(a.steps)
	size := 0
	for i := range a.steps {
		if size += len(a.steps[i].Deleted) + len(a.steps[i].Inserted); i == maxSteps || i > 0 && size > maxStepText {
			a.steps = a.steps[:i]
			break
		}
	}
	return a
}

// places returns the places in a text where the wanted phrases are.
func (w *wanted) places(text string) [][2]int {
	var out [][2]int
	for _, p := range w.query.Places(text) {
		out = append(out, [2]int{p.Start, p.End})
	}
	return out
}

func (a *animation) answer(uris memento.URIs, uriR string) *AnimationAnswer {
	out := &AnimationAnswer{OriginalURI: uriR, Total: a.total, Steps: []AnimationStep{}}
	out.From, out.To = a.ends(uris)
	if a.wanted != nil {
		out.Term = a.wanted.q
	}
	for _, s := range a.steps {
		op := map[diff.Op]string{diff.Deleted: "deleted", diff.Inserted: "inserted", diff.Changed: "replaced"}[s.Op]
		out.Steps = append(out.Steps, AnimationStep{
			Op: op, Deleted: s.Deleted, Inserted: s.Inserted, At: s.Older.From, Before: s.Before, After: s.After, Title: s.Title,
		})
	}
	return out
}

// view returns the bar over the page.
func (a *animation) view(r *http.Request, home string, uris memento.URIs, uriR string) (v AnimationView, err error) {
	v = AnimationView{
		Lang: locale.Choose(r.Header.Get("Accept-Language")), Home: home, URIR: uriR, Total: a.total,
		Diff: a.diffURI(uris, a.older.Time, a.newer.Time, uriR),
	}
	if v.Before, v.After, err = a.sides(uris); err != nil {
		return v, err
	}
	if a.wanted != nil {
		v.Term, v.All = a.wanted.q, uris.Animate(a.older.Time, a.newer.Time, uriR)
	}
	for _, s := range a.steps {
		v.Steps = append(v.Steps, playedStep{
			At: s.Older.From, Deleted: s.Deleted, Inserted: s.Inserted, Before: s.Before, After: s.After,
			Title: s.Title, Block: s.Block, Heading: s.Heading, Row: s.Row, Cell: s.Cell,
		})
	}
	return v, nil
}
