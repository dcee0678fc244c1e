// Package settings has the page on which templates and rankings of a collection are edited and saved. What a [Store]
// has saved is in force at once.
//
// Package guard says who may: what an archived page's script could do on the same origin, it can't do here.
package settings

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/replay/guard"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// A Store keeps what is saved. Texts have the keys that a collection has in the config file; file is what that says.
type Store interface {
	Templates(coll string) (text, file string, err error)
	SaveTemplates(coll, text string) error // the error says what is wrong with the text, unless the system has refused to write it
	Rankings(coll string) (text, file string, err error)
	SaveRankings(coll, text string) error
}

// A Config says where settings are saved. Store is required.
type Config struct {
	Store    Store
	Asked    bool         // whoever runs the server wants it; else it is done because the server is for its machine only
	ReadOnly bool         // settings are shown, and not saved
	Log      *slog.Logger // nil logs nothing
}

// A Handler has the handlers. A nil one saves nothing, and says so.
type Handler struct {
	Config
	archive *archive.Archive
	site    *respond.Site
	guard   *guard.Guard
}

func matter() guard.Matter {
	return guard.Matter{Not: "saves no settings", Flag: "--crawls", Do: "save settings"}
}

// New returns the handlers over an archive for a site, nil if cfg is.
func New(a *archive.Archive, site *respond.Site, cfg *Config, key guard.Key) *Handler {
	if cfg == nil {
		return nil
	}
	h := &Handler{Config: *cfg, archive: a, site: site, guard: guard.New(site, matter(), cfg.Asked, key)}
	if h.Log == nil {
		h.Log = slog.New(slog.DiscardHandler)
	}
	return h
}

// path is where settings are, below the address of the server.
const path = "/-/settings"

// Is reports whether what follows /-/ in a path is for a [Handler].
func Is(internal string) bool { return internal == "settings" }

// Link returns the address of the page for a collection, "" if nothing can be saved there. rule is a template to add, as it stands in a
// config file, "" for none.
func (h *Handler) Link(r *http.Request, coll, rule string) string {
	if h == nil || h.ReadOnly || h.guard.Open(r) != nil {
		return ""
	}
	q := url.Values{}
	if coll != "" {
		q.Set("collection", coll)
	}
	if rule != "" {
		q.Set("add", rule)
	}
	if len(q) == 0 {
		return h.site.Path() + path
	}
	return h.site.Path() + path + "?" + q.Encode()
}

// Serve answers what [Is] says.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path, shared layout.Page) error {
	w.Header().Set("Cache-Control", "no-store")
	if h == nil {
		return matter().Closed()
	}
	if err := h.guard.Open(r); err != nil {
		return err
	}
	respond.Vary(w.Header(), "Accept", "Sec-Fetch-Dest", "Sec-Fetch-Mode")
	all := h.archive.Index.Collections()
	coll := p.Params.Get("collection")
	if coll == "" && len(all) > 0 {
		coll = all[0]
	}
	if !slices.Contains(all, coll) {
		return respond.NotFound("there is no such collection here")
	}
	switch {
	case respond.Reads(r):
		return h.show(w, r, coll, p.Params.Get("add"), shared)
	case r.Method == http.MethodPost:
		return h.take(w, r, coll, shared)
	}
	return respond.NoOtherMethod(true)
}

// texts is the same as data.
type texts struct {
	Collection string `json:"collection"`
	Templates  string `json:"templates"`
	Rankings   string `json:"rankings"`
}

func (h *Handler) show(w http.ResponseWriter, r *http.Request, coll, add string, shared layout.Page) error {
	v, err := h.view(r, coll, shared)
	if err != nil {
		return err
	}
	if !respond.IsBrowser(r) {
		return respond.SendJSON(w, r, texts{coll, v.Templates.Text, v.Rankings.Text})
	}
	if add != "" {
		if v.Templates.Text, err = addTemplates(v.Templates.Text, add); err != nil {
			v.Templates.Wrong = err.Error()
		}
	}
	return respond.RenderAlone(w, r, http.StatusOK, settingsPage(v))
}

// view returns the page as what is saved has it.
func (h *Handler) view(r *http.Request, coll string, shared layout.Page) (v pageView, err error) {
	v = pageView{
		Page: shared, Action: h.site.Path() + path + "?collection=" + url.QueryEscape(coll),
		Coll: banner.Link{Href: h.site.Local(coll).Home(), Text: h.site.Title(coll)},
	}
	if !h.ReadOnly {
		v.Steer = layout.Steering{Possible: true, Token: h.guard.Token(r)}
	}
	for _, other := range h.archive.Index.Collections() {
		if other != coll {
			v.Others = append(v.Others, banner.Link{
				Href: h.site.Path() + path + "?collection=" + url.QueryEscape(other), Text: h.site.Title(other),
			})
		}
	}
	var failed error
	v.Templates.Text, v.Templates.File, err = h.Store.Templates(coll)
	v.Rankings.Text, v.Rankings.File, failed = h.Store.Rankings(coll)
	return v, errors.Join(err, failed)
}

// addTemplates adds the templates of one text to those of another, whose comments stay.
func addTemplates(text, add string) (string, error) {
	if strings.TrimSpace(text) == "" {
		return add, nil
	}
	var into, more yaml.Node
	if err := errors.Join(yaml.Unmarshal([]byte(text), &into), yaml.Unmarshal([]byte(add), &more)); err != nil {
		return text, err
	}
	list, rules := fieldsOf(&into), fieldsOf(&more)
	if list == nil || rules == nil {
		return text, errors.New("want templates under fields, as in the config file")
	}
	list.Content = append(list.Content, rules.Content...)
	out, err := yaml.Marshal(&into)
	return string(out), err
}

// fieldsOf returns the list under the key fields, nil if there is none.
func fieldsOf(doc *yaml.Node) *yaml.Node {
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	m := doc.Content[0].Content
	for i := 0; i+1 < len(m); i += 2 {
		if m[i].Value == "fields" && m[i+1].Kind == yaml.SequenceNode {
			return m[i+1]
		}
	}
	return nil
}

const (
	maxText = 64 << 10    // bytes of a text that is saved
	maxForm = 4 * maxText // of a form: a character may take three there
)

// take saves a text, or tries templates.
func (h *Handler) take(w http.ResponseWriter, r *http.Request, coll string, shared layout.Page) error {
	if h.ReadOnly {
		return &respond.Failure{Status: http.StatusForbidden, Say: "this server writes nothing, so no settings can be saved"}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return respond.BadRequest("the form can't be read")
	}
	if err := h.guard.Mine(r, r.PostForm.Get("token")); err != nil {
		return err
	}
	text, try := strings.ReplaceAll(r.PostForm.Get("text"), "\r\n", "\n"), strings.TrimSpace(r.PostForm.Get("url"))
	part := r.PostForm.Get("part")
	save := map[string]func(coll, text string) error{"templates": h.Store.SaveTemplates, "rankings": h.Store.SaveRankings}[part]
	if save == nil {
		return respond.BadRequest("part takes templates or rankings")
	}
	var wrong error
	switch {
	case len(text) > maxText:
		wrong = errors.New("the text is longer than 64 KB")
	case r.PostForm.Get("do") == "try" && try == "":
		wrong = errors.New("name a page of the archive to try the templates on")
	case r.PostForm.Get("do") == "try":
		respond.Redirect(w, h.site.Local(coll).Endpoint("inspect", url.Values{"url": {try}, "template": {text}}.Encode()))
		return nil
	default:
		wrong = save(coll, text)
	}
	var refused syscall.Errno
	switch {
	case errors.As(wrong, &refused):
		return wrong
	case wrong == nil:
		h.Log.Info("settings were saved", "collection", coll, "part", part)
	}
	return h.answer(w, r, coll, part, text, wrong, shared)
}

// answer says what became of a text.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, coll, part, text string, wrong error, shared layout.Page) error {
	v, err := h.view(r, coll, shared)
	if err != nil {
		return err
	}
	if !respond.IsBrowser(r) {
		if wrong != nil {
			return respond.BadRequest(wrong.Error())
		}
		return respond.SendJSON(w, r, texts{coll, v.Templates.Text, v.Rankings.Text})
	}
	edited := map[string]*textView{"templates": &v.Templates, "rankings": &v.Rankings}[part]
	edited.Text, edited.Saved, v.Try = text, wrong == nil, r.PostForm.Get("url")
	status := http.StatusOK
	if wrong != nil {
		edited.Wrong, status = wrong.Error(), http.StatusBadRequest
	}
	return respond.RenderAlone(w, r, status, settingsPage(v))
}
