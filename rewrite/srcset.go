package rewrite

import (
	"github.com/varve-archive/varve/rewrite/ascii"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// srcset handles image candidate strings (HTML, "parse a srcset attribute").
func (h *htmlScanner) srcset(a *attr, b *reference.Base) {
	edit.DecodeAttribute(h.src, a.val, a.end).Within(h.e, a.esc, func(text []byte) {
		for _, c := range candidates(text) {
			h.e.Reference(c[0], c[1], text[c[0]:c[1]], b, uses.Image, edit.InSrcset)
		}
	})
}

// Candidates returns the URLs in a srcset attribute (HTML, "parse a srcset attribute").
func Candidates(srcset string) (urls []string) {
	for _, c := range candidates([]byte(srcset)) {
		urls = append(urls, srcset[c[0]:c[1]])
	}
	return urls
}

// candidates returns the places of the URLs in a srcset. Commas inside a URL are part of it; those at its end end the
// candidate; those inside a descriptor's parentheses mean nothing.
func candidates(s []byte) (urls [][2]int) {
	for i := 0; ; {
		for i < len(s) && (ascii.IsSpace(s[i]) || s[i] == ',') {
			i++
		}
		if i == len(s) {
			return urls
		}
		start := i
		for i < len(s) && !ascii.IsSpace(s[i]) {
			i++
		}
		end := i
		for end > start && s[end-1] == ',' {
			end--
		}
		urls = append(urls, [2]int{start, end})
		if end == i {
			i = skipDescriptors(s, i)
		}
	}
}

// skipDescriptors returns the offset after the comma that ends a candidate's descriptors.
func skipDescriptors(s []byte, i int) int {
	for inside := false; i < len(s); i++ { // of parentheses, which don't nest
		switch {
		case s[i] == '(':
			inside = true
		case s[i] == ')':
			inside = false
		case s[i] == ',' && !inside:
			return i + 1
		}
	}
	return i
}
