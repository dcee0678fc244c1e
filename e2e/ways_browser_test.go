package e2e

import (
	"strings"
	"testing"
)

// otherWays are the ways in which pages are replayed besides the usual one, from varve and by its readers' browsers. Each starts a browser
// and gives what precedes a path of the hostile site there.
var otherWays = map[string]func(t *testing.T, a *archive) (g *stage, at string){
	"on a replay origin": func(t *testing.T, a *archive) (*stage, string) {
		return onOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", replayOrigin)), "/web/" + day + "/" + host
	},
	"on an origin for each site": func(t *testing.T, a *archive) (*stage, string) {
		return onOrigins(t, a.serve(t, "--public-url", publicOrigin, "--replay-url", "http://*.replay.localhost")), "/web/" + day + "/" + host
	},
	"without Connection-Allowlist": func(t *testing.T, a *archive) (*stage, string) {
		return browseAsReaders(t, a.serve(t), "disable-features=ConnectionAllowlists,Translate"), "/web/" + day + "/" + host
	},
	"through the proxy": func(t *testing.T, a *archive) (*stage, string) {
		proxy := freeAddress(t)
		s := a.serve(t, "--proxy", proxy)
		g := browseAsReaders(t, s, "proxy-server=http://"+proxy, "proxy-bypass-list=<-loopback>",
			"host-resolver-rules=MAP * TRAP, EXCLUDE 127.0.0.1")
		g.url = "http://varve.proxy"
		return g, host
	},
}

// onOrigins starts a browser that knows the names of varve's origins, and counts what is asked of them.
func onOrigins(t *testing.T, s *server) *stage {
	t.Helper()
	const names = "archive.localhost;replay.localhost;*.replay.localhost"
	var rules []string
	for name := range strings.SplitSeq(names, ";") {
		rules = append(rules, "MAP "+name+":80 FRONT")
	}
	g := browseAsReaders(t, s, "host-resolver-rules="+strings.Join(rules, ","), "proxy-bypass-list=<-loopback>;"+names)
	g.url = publicOrigin
	return g
}

// What pages and documents try in order to leave is tried in every other way of replaying them, and in a browser that enforces no list of
// connections: there only what docs/isolation.md names gets out.
func TestNothingLeavesInOtherWays(t *testing.T) {
	t.Parallel() // it mostly waits
	if testing.Short() {
		t.Skip("what every page tries is tried in the other ways of replaying it in the long form of the tests")
	}
	hasWombat(t)
	a := travelling()
	a.buf.Write(hostile().bytes())
	for way, begin := range otherWays {
		t.Run(way, func(t *testing.T) {
			g, at := begin(t, a)
			var targets []string
			for folder, names := range kindsOfHostile(way != "without Connection-Allowlist") {
				for _, name := range names {
					targets = append(targets, at+"/"+folder+"/"+slug(name))
				}
			}
			if at != host {
				targets = append(targets, pagesAsDocuments()...)
			}
			g.opensAll(t, targets)
			_, leaks := g.seen()
			for _, l := range leaks {
				t.Errorf("left for the live web: %s", l)
			}
			t.Logf("%d pages and documents", len(targets))
			if way == "without Connection-Allowlist" {
				g.assertUnlisted(t, at)
			}
		})
	}
}

// assertUnlisted fails in a browser that enforces a list of connections: what nothing else holds has to get out of it.
func (g *stage) assertUnlisted(t *testing.T, at string) {
	t.Helper()
	var targets []string
	for name := range unwatched {
		targets = append(targets, at+"/making/"+slug(name))
	}
	g.opensAll(t, targets)
	if _, leaks := g.seen(); len(leaks) == 0 {
		t.Error("this browser enforces Connection-Allowlist, so nothing is shown of one that doesn't")
	}
}

// kindsOfHostile lists what tries to leave by the folder that it is in.
func kindsOfHostile(unseen bool) map[string][]string {
	all := map[string][]string{}
	for folder, list := range map[string]map[string]string{"still": scriptless, "asking": requesting, "leaving": leaving, "making": making} {
		for name := range list {
			all[folder] = append(all[folder], name)
		}
	}
	for name := range documents {
		all["documents"] = append(all["documents"], name)
	}
	for name := range unwatched {
		if unseen {
			all["making"] = append(all["making"], name)
		}
	}
	return all
}
