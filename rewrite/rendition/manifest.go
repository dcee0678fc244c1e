package rendition

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// manifestOf matches members, in JSON or in a script, that have one of the names and a string as value.
func manifestOf(names []string) *regexp.Regexp {
	return regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)"?\s*:\s*"`)
}

var (
	// prefetched matches the list that may follow a description: the representations that the player begins with.
	prefetched = regexp.MustCompile(`^\s*,\s*"?dash_prefetched_representation_ids"?\s*:\s*(\[[^\[\]]*\])`)
	// represented matches the IDs of a description's representations.
	represented = regexp.MustCompile(`<Representation\s(?:[^>]*\s)?id="([^"]*)"`)
)

// described removes the representations that were not captured from the DASH descriptions in strings of a text, and from the list
// of those that the player begins with. Strings that aren't descriptions stay as they are.
func (r *playerRule) described(text []byte, base *url.URL, a Archive) (parts []part) {
	if r.manifests == nil {
		return nil
	}
	end, left := 0, maxPasses*len(text)
	for _, at := range r.manifests.FindAllIndex(text, maxElements) {
		start := at[1] - 1
		if start < end || left <= 0 {
			continue
		}
		var description string
		in := bytes.NewReader(text[start:])
		d := json.NewDecoder(in)
		err := d.Decode(&description)
		if left -= len(text) - start - in.Len(); err != nil {
			continue
		}
		end = start + int(d.InputOffset())
		trimmed := DASH([]byte(description), base.String(), a)
		if string(trimmed) == description {
			continue
		}
		parts = append(parts, part{start, end, inJSON(string(trimmed))})
		if m := prefetched.FindSubmatchIndex(text[end:]); m != nil {
			parts = append(parts, begins(text[end+m[2]:end+m[3]], end+m[2], trimmed)...)
		}
	}
	return parts
}

// begins keeps in a list of representations those that the description has. If the description has none of them, it puts all of the
// description's representations there.
func begins(list []byte, at int, description []byte) []part {
	var listed, has []string
	if json.Unmarshal(list, &listed) != nil {
		return nil
	}
	for _, m := range represented.FindAllSubmatch(description, -1) {
		has = append(has, string(m[1]))
	}
	stay := slices.DeleteFunc(slices.Clone(listed), func(id string) bool { return !slices.Contains(has, id) })
	if len(stay) == 0 {
		stay = has
	}
	if slices.Equal(stay, listed) {
		return nil
	}
	return []part{{at, at + len(list), inJSON(stay)}}
}

// inJSON returns a value as JSON that can stand in a page: <, > and & are escaped.
func inJSON(v any) string {
	b, _ := json.Marshal(v) // strings always can be
	return string(b)
}
