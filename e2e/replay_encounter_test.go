package e2e

import (
	"net/http/httptest"
	"slices"
	"testing"
)

// An encounter is between pages of several sites that know of each other, in frames and in windows.
type encounter struct {
	frames    troupe
	windows   troupe   // programs that each take the window
	separated []string // programs that only hosts of their own let be as they were
}

// isAsItWasLive compares what the pages say: live, replayed with a host for each archived origin and, in the long form, replayed
// on one origin and through the proxy.
func (c encounter) isAsItWasLive(t *testing.T) {
	hasWombat(t)
	all := c.frames.files.with(c.frames.path, c.frames.before, c.frames.programs)
	for _, p := range c.windows.programs {
		page := c.windows.address(p)
		all[page] = "text/html; charset=utf-8\n" + saying + c.windows.before + p.markup
		all[page+"?again"] = all[page]
	}
	origin := httptest.NewServer(all)
	defer origin.Close()
	a := all.archive()
	original := browse(t, &server{url: origin.URL}, "proxy-server="+origin.URL, "unsafely-treat-insecure-origin-as-secure="+host)
	ways := map[string]*stage{
		"on many origins": onManyOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost")),
	}
	if !testing.Short() {
		ways["replayed"], ways["through the proxy"] = browse(t, a.serve(t)), throughProxy(t, a)
	}
	frames := host + c.frames.path + allPrograms
	want := original.saidInFrames(t, frames, nil)
	wantWindows := make([]string, len(c.windows.programs))
	for i, p := range c.windows.programs {
		wantWindows[i] = original.saidQuietly(t, c.windows.address(p))
	}
	for how, g := range ways {
		at := ""
		if g.url != "" {
			at = g.url + "/web/" + day + "mp_/"
		}
		compare := func(t *testing.T, members troupe, want, got []string) {
			for i, p := range members.programs {
				if how == "replayed" && slices.Contains(c.separated, p.name) {
					got[i] = want[i]
				}
			}
			members.compare(t, g, want, got)
		}
		t.Run(how, func(t *testing.T) { compare(t, c.frames, want, g.saidInFrames(t, at+frames, want)) })
		t.Run("windows, "+how, func(t *testing.T) {
			got := make([]string, len(wantWindows))
			for i, p := range c.windows.programs {
				got[i] = g.saidInWindow(t, at+c.windows.address(p), wantWindows[i])
			}
			compare(t, c.windows, wantWindows, got)
		})
	}
}

// address is the URI-R of a program.
func (c troupe) address(p program) string { return host + c.path + slug(p.name) }
