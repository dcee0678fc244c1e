package crawl

import (
	"bytes"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/varve-archive/varve/gather/crawl/chunks"
	"github.com/varve-archive/varve/rewrite"
	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// loadedLater returns the addresses in a tag that a script loads by itself or when the reader scrolls near it, by the attributes that
// common lazy-loading libraries and htmx use.
func loadedLater(t html.Token) (refs []string) {
	for _, a := range t.Attr {
		switch a.Key {
		case "data-src", "data-original", "data-lazy-src", "data-lazy", "data-poster":
			if takesSource(t.DataAtom) {
				refs = append(refs, a.Val)
			}
		case "data-srcset", "data-lazy-srcset":
			if takesSource(t.DataAtom) {
				refs = append(refs, rewrite.Candidates(a.Val)...)
			}
		case "data-bg", "data-background", "data-background-image":
			refs = append(refs, background(a.Val))
		case "hx-get", "data-hx-get":
			if triggersItself(t) {
				refs = append(refs, a.Val)
			}
		}
	}
	out := refs[:0]
	for _, ref := range refs {
		if ref = strings.TrimSpace(ref); strings.ContainsAny(ref, "./") && !strings.ContainsAny(ref, " {}<>") {
			out = append(out, ref)
		}
	}
	return out
}

// triggersItself reports whether htmx requests what the tag names without the reader's doing (htmx, hx-trigger).
func triggersItself(t html.Token) bool {
	for _, a := range t.Attr {
		if a.Key != "hx-trigger" && a.Key != "data-hx-trigger" {
			continue
		}
		for trigger := range strings.SplitSeq(a.Val, ",") {
			switch event, _, _ := strings.Cut(strings.TrimSpace(trigger), " "); event {
			case "load", "revealed", "intersect", "every":
				return true
			}
		}
	}
	return false
}

// nuxtRoutes returns the address of the routes that the scripts of a page made with Nuxt request before they do anything else: without them
// they show an error instead of the page. The page has only their build's name.
func nuxtRoutes(page []byte, links []link) []link {
	_, after, _ := bytes.Cut(page, []byte(`buildId:"`))
	build, _, ok := bytes.Cut(after, []byte(`"`))
	if !ok || bytes.ContainsFunc(build, func(r rune) bool { return r != '-' && (r >= utf8.RuneSelf || !ascii.IsAlnum(byte(r))) }) {
		return nil
	}
	const folder = "/_nuxt/"
	for _, l := range links {
		if i := strings.Index(l.url, folder); i > 0 && l.use == uses.Module {
			return []link{{l.url[:i+len(folder)] + "builds/meta/" + string(build) + ".json", uses.Object}}
		}
	}
	return nil
}

// gatsbyData returns the addresses of the data that the scripts of a page made with Gatsby request before anything in it works. The page
// has only its path within the site, which may be in a folder.
func gatsbyData(page []byte, address string) (data []link) {
	_, after, _ := bytes.Cut(page, []byte(`window.pagePath="`))
	path, _, ok := bytes.Cut(after, []byte(`"`))
	u, err := url.Parse(address)
	if !ok || err != nil {
		return nil
	}
	name := strings.Trim(string(path), "/")
	folder, within := strings.CutSuffix(strings.TrimRight(u.Path, "/")+"/", "/"+name+"/")
	switch {
	case name == "":
		name, folder = "index", strings.TrimRight(u.Path, "/")
	case !within:
		folder = ""
	}
	for _, file := range []string{name + "/page-data.json", "app-data.json"} {
		if at, err := reference.Web(address, folder+"/page-data/"+file); err == nil {
			data = append(data, link{at, uses.Object})
		}
	}
	return data
}

// splitOff returns the files that a script, or one in a page, loads when the reader first needs them.
func splitOff(script []byte, address, page string) (files []link) {
	for _, file := range chunks.Find(script, address, page) {
		use := uses.Script
		if path, _, _ := strings.Cut(file, "?"); strings.HasSuffix(path, ".css") {
			use = uses.Style
		}
		files = append(files, link{file, use})
	}
	return files
}

func takesSource(tag atom.Atom) bool {
	switch tag {
	case atom.Img, atom.Source, atom.Iframe, atom.Video, atom.Audio, atom.Embed:
		return true
	}
	return false
}

func laterUse(t html.Token) uses.Use {
	if triggersItself(t) {
		return uses.Iframe
	}
	switch t.DataAtom {
	case atom.Iframe:
		return uses.Iframe
	case atom.Video, atom.Audio, atom.Embed:
		return uses.Object
	}
	return uses.Image
}

// background returns the address of a background image, which may be in a CSS url().
func background(value string) string {
	if _, in, ok := strings.Cut(value, "url("); ok {
		value, _, _ = strings.Cut(in, ")")
	}
	return strings.Trim(value, " \"'")
}
