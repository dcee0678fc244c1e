package banners

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/visual"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/testkit/logbuffer"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/pages/search"
	"github.com/varve-archive/varve/replay/respond"
)

const page = "http://a.example/"

// opened returns a handler over a shelf and what it logs; pictures may be nil.
func opened(t *testing.T, shelf *archivetest.Shelf, pictures *visual.Store) (*Handler, *logbuffer.Buffer) {
	t.Helper()
	said := &logbuffer.Buffer{}
	a, err := archive.New(archive.Config{Index: shelf.Index, Records: shelf, Pictures: pictures, Log: said.Logger()})
	if err != nil {
		t.Fatal(err)
	}
	return New(a, search.New(a, searches.New(searches.Config{Archive: a}), &respond.Site{})), said
}

// requested returns the request for the banner of a capture.
func requested(t *testing.T, h *Handler, ts cdx.Timestamp) *respond.BannerRequest {
	t.Helper()
	o, err := h.archive.Timelines.Original(t.Context(), "web", surt.Of(page), ts)
	if err != nil {
		t.Fatal(err)
	}
	c, err := o.Memento(t.Context(), ts)
	if err != nil {
		t.Fatal(err)
	}
	near, err := o.Neighbourhood(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	uris := memento.URIs{Coll: "web"}
	return &respond.BannerRequest{Original: o, Capture: c, Near: near, Pages: uris, Moves: uris}
}

// unread returns the request for the banner of a capture of whose versions a handler knows nothing yet.
func unread(t *testing.T, shelf *archivetest.Shelf, h *Handler) *respond.BannerRequest {
	t.Helper()
	other, _ := opened(t, shelf, nil)
	request := requested(t, other, archivetest.At(2))
	tl, err := h.archive.Timelines.Read(t.Context(), "web", surt.Of(page))
	if err != nil {
		t.Fatal(err)
	}
	request.Original = h.archive.Timelines.Of(tl)
	return request
}

// If the index fails, there is no banner rather than half of one, and the log says why. A reader who left is no fault.
func TestABannerIsWholeOrMissing(t *testing.T) {
	t.Parallel()
	days := archivetest.Days(page, "The herons come.", "The herons come.", "The herons stay.", ">http://b.example/", "The herons leave.")
	for n, steps := 0, 1; n <= steps; n++ {
		shelf := archivetest.Keep(t, days...)
		h, said := opened(t, shelf, visual.NewStore(filepath.Join(t.TempDir(), "pictures")))
		request := unread(t, shelf, h)
		r := httptest.NewRequest("GET", "/web/"+archivetest.Day(2)+"/"+page, nil)
		shelf.Store.FailAt(n)
		render := h.Banner(r, request)
		at := shelf.Store.Steps()
		switch {
		case n == 0:
			if steps = len(at); steps == 0 || render == nil || said.String() != "" {
				t.Fatalf("without a fault: no banner, after %q: %q", at, said)
			}
			if b := string(render(banner.Embeds{})); !strings.Contains(b, "version 2 of 4") || !strings.Contains(b, "5 captures, 4 versions") {
				t.Errorf("%s", b)
			}
		case render != nil && at[n-1] != "update" && at[n-1] != "get to update" && at[n-1] != "commit":
			t.Errorf("there is a banner though %q fails (%d of %d)", at[n-1], n, steps)
		case render == nil && !strings.Contains(said.String(), "level=ERROR msg=banner"):
			t.Errorf("%q fails (%d of %d): the log says %q", at[n-1], n, steps, said)
		}
	}
	shelf := archivetest.Keep(t, days...)
	h, said := opened(t, shelf, nil)
	request := unread(t, shelf, h)
	gone, leave := context.WithCancel(t.Context())
	r := httptest.NewRequest("GET", "/", nil).WithContext(gone)
	render := h.Banner(r, request)
	leave()
	if b := render(banner.Embeds{}); b != nil {
		t.Errorf("a banner for somebody who has left: %s", b)
	}
	if said.String() != "" {
		t.Errorf("the log says %q", said)
	}
	shelf = archivetest.Keep(t, days...)
	h, said = opened(t, shelf, nil)
	request = unread(t, shelf, h)
	shelf.Store.FailAt(1)
	if render := h.Banner(r, request); render != nil || said.String() != "" {
		t.Errorf("a banner for somebody who has left: %v, the log says %q", render != nil, said)
	}
}

// A banner is in the reader's language, and says which parts of the page are missing once these are known.
func TestWhatABannerSaysOfThePage(t *testing.T) {
	t.Parallel()
	h, _ := opened(t, archivetest.Keep(t, archivetest.Days(page, "The herons come.")...), nil)
	for _, tt := range []struct {
		language, want string
		missing        int
		says           bool
	}{{"en", `lang="en"`, 0, false}, {"de-AT, en;q=0.5", `lang="de"`, 3, true}, {"", `lang="en"`, 3, true}} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Language", tt.language)
		b := string(h.Banner(r, requested(t, h, archivetest.At(0)))(banner.Embeds{Missing: banner.Kinds{Pictures: tt.missing}}))
		if !strings.Contains(b, tt.want) || strings.Contains(b, "#embeds") != tt.says {
			t.Errorf("%q, %d parts are missing: %s", tt.language, tt.missing, b)
		}
	}
}

// What a picture lacks is said of the capture that is pictured, since others lack other parts.
func TestDamageIsOfTheCaptureItself(t *testing.T) {
	t.Parallel()
	shelf := archivetest.Keep(t, archivetest.Days(page, "The herons come.", "The herons come.", "The herons come.")...)
	store := visual.NewStore(filepath.Join(t.TempDir(), "pictures"))
	h, _ := opened(t, shelf, store)
	damage := func(day int) (pictured bool, damage int) {
		t.Helper()
		v, err := h.bannerView(httptest.NewRequest("GET", "/", nil), requested(t, h, archivetest.At(day)))
		if err != nil {
			t.Fatal(err)
		}
		return v.Pictured, v.Damage
	}
	if pictured, lost := damage(0); pictured || lost != 0 {
		t.Errorf("without pictures: %v, %d", pictured, lost)
	}
	for day, p := range []visual.Picture{{Damage: 0.25, Image: visual.File{Hash: "a"}}, {Damage: 0.5, Note: visual.Hung}} {
		p.Recipe, p.URL, p.Width, p.Time = visual.Recipe, page, 1280, archivetest.At(day)
		if err := store.Save(visual.At{Coll: "web", Key: surt.Of(page), Time: p.Time, Width: p.Width}, &p); err != nil {
			t.Fatal(err)
		}
	}
	for day, want := range []int{25, 0, 0} {
		if pictured, lost := damage(day); !pictured || lost != want {
			t.Errorf("day %d: %v, %d, want %d", day, pictured, lost, want)
		}
	}
}

// The drawing of a timeline is kept for the other captures, until there are more.
func TestDrawingsAreKeptUntilTheIndexChanges(t *testing.T) {
	t.Parallel()
	shelf := archivetest.Keep(t, archivetest.Days(page, "The herons come.", "The herons stay.")...)
	h, _ := opened(t, shelf, nil)
	drawn := func(day int) *banner.Timeline {
		t.Helper()
		request := requested(t, h, archivetest.At(day))
		d, err := h.drawing(t.Context(), request.Original, request.Near.Last, request.Moves)
		if err != nil || d == nil {
			t.Fatal(d, err)
		}
		return d
	}
	first := drawn(0)
	if drawn(1) != first {
		t.Error("it is drawn again for another capture")
	}
	shelf.Add(t, archivetest.On(archivetest.Day(3), page, "<p>The herons leave."))
	if drawn(0) == first {
		t.Error("it lacks a capture that came later")
	}
}
