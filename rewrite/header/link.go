package header

import (
	"strings"

	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// links rewrites the links of a Link header (RFC 8288 §3) that make a browser load something for the page. It drops all others,
// because clients could take them for the archive's own.
func (o *Options) links(b *reference.Base, value string) string {
	var out []string
	for _, link := range splitLinks(value) {
		if use, ok := loadedAhead(link.params); ok {
			out = append(out, "<"+o.uri(b, link.target, use)+">"+rewrittenParams(link.params))
		}
	}
	return strings.Join(out, ", ")
}

// listLinks returns the unchanged links of a Link header that lead scripts to further pages of a list. Browsers don't load them.
func listLinks(value string) (list []string) {
	for _, link := range splitLinks(value) {
		if leadsOn(linkParam(link.params, "rel")) {
			list = append(list, "<"+link.target+">"+link.params)
		}
	}
	return list
}

// leadsOn reports whether all relations of a link are those of paged lists.
func leadsOn(rels string) bool {
	for rel := range strings.FieldsSeq(strings.ToLower(rels)) {
		switch rel {
		case "next", "prev", "previous", "first", "last", "self", "up", "start", "collection", "item":
		default:
			return false
		}
	}
	return strings.TrimSpace(rels) != ""
}

// A link is one link-value: its target, and the unparsed text after ">".
type link struct{ target, params string }

// splitLinks splits a Link header into its links and skips invalid ones.
func splitLinks(value string) (links []link) {
	for {
		_, rest, _ := strings.Cut(value, "<")
		target, rest, ok := strings.Cut(rest, ">")
		if !ok {
			return links
		}
		n := paramsEnd(rest)
		links = append(links, link{target, strings.TrimRight(rest[:n], " \t")})
		value = rest[n:]
	}
}

// paramsEnd returns the offset of the comma that ends a link's parameters.
func paramsEnd(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			return i
		}
	}
	return len(s)
}

// loadedAhead reports whether a link's relation makes the browser load its target, and for which use.
func loadedAhead(params string) (uses.Use, bool) {
	as := linkParam(params, "as")
	for rel := range strings.FieldsSeq(strings.ToLower(linkParam(params, "rel"))) {
		switch rel {
		case "preload":
			return uses.OfDestination([]byte(as)), true
		case "modulepreload":
			return uses.Module, true
		case "stylesheet":
			return uses.Style, true
		case "icon":
			return uses.Image, true
		}
	}
	return uses.Link, false
}

// linkParam returns the first parameter of this name, unquoted, or "".
func linkParam(params, name string) string {
	for _, p := range splitParams(params) {
		key, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// rewrittenParams drops the parameters that would make browsers reject rewritten content, as the HTML rewriter does, and those with other
// addresses of a picture.
func rewrittenParams(params string) string {
	var out strings.Builder
	as := strings.ToLower(linkParam(params, "as"))
	for _, p := range splitParams(params) {
		key, _, _ := strings.Cut(p, "=")
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "crossorigin":
			if as != "font" && as != "fetch" { // browsers would load these again
				continue
			}
		case "", "integrity", "nonce", "anchor", "imagesrcset", "imagesizes":
			continue
		}
		out.WriteString("; " + strings.TrimSpace(p))
	}
	return out.String()
}

// splitParams splits parameters at the semicolons outside quotes.
func splitParams(s string) (params []string) {
	quoted, from := false, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s), s[i] == ';' && !quoted:
			params = append(params, s[from:i])
			from = i + 1
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		}
	}
	return params
}
