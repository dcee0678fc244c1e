// Package addresses lists the addresses of a collection that match a pattern.
package addresses

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/holdings"
	"github.com/varve-archive/varve/internal/spreadsheet"
	"github.com/varve-archive/varve/internal/weighted"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/pages/versions"
	"github.com/varve-archive/varve/replay/respond"
)

// A Handler has the handler.
type Handler struct {
	archive *archive.Archive
	counts  *holdings.Counts
	site    *respond.Site
	shared  respond.SharedFunc
	orders  *weighted.Cache[orderKey, []uint32]
}

// New returns the handler over an archive with its counts, for a site.
func New(a *archive.Archive, counts *holdings.Counts, site *respond.Site, shared respond.SharedFunc) *Handler {
	orders := weighted.New[orderKey](keptOrders, func(o []uint32) int { return 1 + len(o) })
	return &Handler{a, counts, site, shared, orders}
}

// Serve answers /{coll}/*/{prefix}*, and /{coll}/?url={prefix}*&… with filters and an order: the addresses that begin with the
// prefix, as a page, as JSON, or as a table. In the order of addresses, a page is named by its first key, so that new captures don't
// shift it.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	ask, err := readQuery(p)
	if err != nil {
		return err
	}
	switch output := p.Params.Get("output"); {
	case output == "csv":
		return h.writeTable(w, r, p, &ask)
	case output != "" && output != "json":
		return respond.BadRequest(fmt.Sprintf("output %.20q: want json or csv", output))
	}
	kind := ask.sort
	machine := respond.WantsJSON(r, p) && !respond.IsBrowser(r) || p.Params.Get("output") == "json"
	list, err := h.find(r.Context(), p.Coll, &ask, machine)
	if err != nil {
		return err
	}
	first := ask.start == "" && ask.page == 1
	if len(list.rows) == 0 && !first && !machine { // behind the last page
		ask.start, ask.page, first = "", 1, true
		if list, err = h.find(r.Context(), p.Coll, &ask, machine); err != nil {
			return err
		}
	}
	if len(list.rows) == 0 && first && kind == "" { // there may be parts of pages
		ask.sort = anySort
		if list, err = h.find(r.Context(), p.Coll, &ask, machine); err != nil {
			return err
		}
	}
	captured := len(list.rows) > 0 || ask.around.From == ""
	if !captured {
		if captured, err = h.archive.Captured(r.Context(), p.Coll, ask.pattern); err != nil {
			return err
		}
	}
	if !captured {
		return respond.NotFound(fmt.Sprintf("nothing in the collection %s begins with %s", p.Coll, p.URIR))
	}
	respond.Vary(w.Header(), "Accept")
	if machine {
		return h.writeJSON(w, r, p, &ask, list)
	}
	return respond.Render(w, r, http.StatusOK, addressesPage(h.view(r, p, &ask, list, kind)))
}

// turn returns the address of the next page (by 1), or of the one before it (by -1), "" if there is none.
func (l *listing) turn(uris memento.URIs, ask *query, by int) string {
	v := ask.params()
	switch page := ask.page + by; {
	case ask.column == "" && by > 0 && l.next != "":
		v.Set("start", l.next)
	case ask.column != "" && page >= 1 && (page-1)*pageSize < l.all:
		v.Set("page", strconv.Itoa(page))
	default:
		return ""
	}
	return uris.Home() + "?" + v.Encode()
}

// offeredColumns are the columns of the page, and whether they are first sorted in descending order.
var offeredColumns = []struct {
	name string
	down bool
}{
	{"address", false},
	{"versions", true},
	{"captures", true},
	{"changed", true},
	{"type", false},
	{"status", false},
	{"first", false},
	{"last", true},
	{"size", true},
}

func (h *Handler) view(r *http.Request, p respond.Path, ask *query, list listing, kind string) pageView {
	uris := h.site.Local(p.Coll)
	limits := asked{
		Sort: kind, Has: ask.words, Status: ask.status, Since: ask.typed.since, Until: ask.typed.until,
		Captures: ask.captures, Versions: ask.versions, Bytes: ask.bytes,
	}
	v := pageView{
		Page: h.shared(r, p), Pattern: ask.pattern, Asked: limits,
		PartsOnly: kind != ask.sort && len(list.rows) > 0, Prev: list.turn(uris, ask, -1), Next: list.turn(uris, ask, 1),
		Sorts: []string{"", anySort}, Statuses: []string{"2xx", "3xx", "4xx", "5xx", "200", "301", "302", "403", "404", "410"},
	}
	if list.counting.All > 0 {
		v.Counting = &layout.Progress{Done: int(list.counting.Done), Total: int(list.counting.All)}
	}
	if limits.any() {
		v.Everything = uris.Home() + "?" + versions.WithLevel((&query{pattern: ask.pattern, sort: anySort}).params(), ask.level).Encode()
	}
	for _, sort := range holdings.Sorts() {
		v.Sorts = append(v.Sorts, string(sort))
	}
	for _, name := range []string{"sort", "level"} {
		if value := ask.params().Get(name); value != "" {
			v.Hidden = append(v.Hidden, layout.Hidden{Name: name, Value: value})
		}
	}
	table := ask.params()
	table.Set("output", "csv")
	table.Del("sort")
	v.CSV = uris.Home() + "?" + table.Encode()
	for _, c := range offeredColumns {
		v.Columns = append(v.Columns, columnOf(uris, *ask, c.name, c.down))
	}
	for i := range list.rows {
		row := &list.rows[i]
		v.Rows = append(v.Rows, rowView{row, versions.CalendarAt(ask.level, uris, row.URL)})
	}
	return v
}

// columnOf returns the head of a column. For the column by which the list is ordered, it links to the reverse order.
func columnOf(uris memento.URIs, ask query, name string, down bool) columnView {
	c := columnView{Name: name}
	if cmp.Or(ask.column, "address") == name {
		c.Sort = "ascending"
		if down = !ask.down; ask.down {
			c.Sort = "descending"
		}
	}
	ask.column, ask.down = name, down
	if name == "address" && !down {
		ask.column = ""
	}
	c.Href = uris.Home() + "?" + ask.params().Encode()
	return c
}

// An entry is an address in the JSON of a list.
type entry struct {
	OriginalURI string `json:"original_uri"`
	Versions    int    `json:"versions"`
	Changes     int    `json:"changes"`
	Captures    int    `json:"captures"`
	Changed     string `json:"changed,omitempty"`
	Type        string `json:"type"`
	MIME        string `json:"mime"`
	Status      int    `json:"status"`
	First       string `json:"first"`
	Last        string `json:"last"`
	Bytes       int64  `json:"bytes"`
	Calendar    string `json:"calendar"`
}

func entryOf(row *holdings.ListedAddress, uris memento.URIs) entry {
	e := entry{
		OriginalURI: row.URL, Versions: row.Versions, Changes: max(0, row.Versions-1), Captures: row.Captures, Type: string(row.Sort()),
		MIME: row.MIME, Status: row.Status, First: row.First.String(), Last: row.Last.String(), Bytes: row.Bytes,
		Calendar: uris.Calendar(row.URL),
	}
	if row.Changed != 0 {
		e.Changed = row.Changed.String()
	}
	return e
}

func (h *Handler) writeJSON(w http.ResponseWriter, r *http.Request, p respond.Path, ask *query, list listing) error {
	uris := h.site.Absolute(r, p.Coll)
	out := struct {
		URL       string  `json:"url"`
		Level     string  `json:"level"`
		Sort      string  `json:"sort"`
		Total     *int    `json:"total"`
		Next      string  `json:"next,omitempty"`
		Addresses []entry `json:"addresses"`
	}{URL: ask.pattern, Level: ask.level.String(), Sort: cmp.Or(ask.order(), "address"), Addresses: []entry{}}
	if list.next == "" && ask.start == "" {
		out.Total = &list.all
	}
	if next := list.turn(uris, ask, 1); next != "" {
		out.Next = next + "&output=json"
	}
	for i := range list.rows {
		out.Addresses = append(out.Addresses, entryOf(&list.rows[i], uris))
	}
	return respond.WriteJSON(w, r, out)
}

// writeTable streams the whole list in the order of addresses; spreadsheets can sort it.
func (h *Handler) writeTable(w http.ResponseWriter, r *http.Request, p respond.Path, ask *query) error {
	out := respond.Table(w, p.Coll+"-addresses.csv")
	if r.Method == http.MethodHead {
		return nil
	}
	head := []string{
		"url", "versions", "changes", "captures", "changed", "type", "mime", "status", "first", "last", "bytes", "calendar",
	}
	uris := h.site.Absolute(r, p.Coll)
	err := out.Write(head)
	if err == nil {
		err = h.inOrder(r.Context(), p.Coll, ask, func(row *holdings.ListedAddress) error {
			e := entryOf(row, uris)
			return out.Write(e.cells())
		})
	}
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

func (e *entry) cells() []string {
	return []string{
		spreadsheet.Cell(e.OriginalURI), strconv.Itoa(e.Versions), strconv.Itoa(e.Changes), strconv.Itoa(e.Captures), e.Changed, e.Type,
		spreadsheet.Cell(e.MIME), strconv.Itoa(e.Status), e.First, e.Last, strconv.FormatInt(e.Bytes, 10), e.Calendar,
	}
}
