package rendition

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
)

// Limits for a master playlist: media playlists that are read, and segments of each that are looked up.
const (
	maxPlaylists = 64
	maxSegments  = 2000
)

// HLS removes from a master playlist (RFC 8216 §4.3.4) the variants and renditions that were not captured. base is its URI-R. Other
// playlists are returned unchanged. Players also request the playlists of variants that they don't play in the end, so captured
// segments count: of the variants, those with the largest captured extent stay; of the sound and subtitle renditions, which don't
// replace each other, all with any captured segment stay.
func HLS(playlist []byte, base string, a Archive) []byte {
	b, err := url.Parse(base)
	if err != nil || !bytes.Contains(playlist, []byte("#EXT-X-STREAM-INF:")) {
		return playlist
	}
	choices := variants(playlist, b)
	extents := begun(choices, a)
	for i, read := 0, 0; i < len(choices) && read < maxPlaylists; i++ {
		if extents[i] == entry {
			extents[i] = captured(choices[i].uri, a)
			read++
		}
	}
	return keep(playlist, choices, extents, func(group string, best extent) extent {
		if strings.HasPrefix(group, "media ") {
			return min(best, some)
		}
		return best
	})
}

// Groups of choices.
const (
	variant   = "variant"
	trickPlay = "trick play"
)

// Best keeps of the variants in a master playlist (RFC 8216 §4.3.4) that with the greatest bandwidth, and none for trick play: players get
// along with one. Other playlists are returned unchanged.
func Best(playlist []byte) []byte {
	var gone []part
	best, most := part{}, 0
	for _, c := range variants(playlist, &url.URL{}) {
		this := part{start: c.start, end: c.end}
		switch c.group {
		case trickPlay:
			gone = append(gone, this)
		case variant:
			n, _ := strconv.Atoi(attribute(strings.TrimSpace(string(line(playlist[c.start:]))), "BANDWIDTH")) // 0 for one without
			if best.end > 0 && n <= most {
				gone = append(gone, this)
				continue
			}
			if best.end > 0 {
				gone = append(gone, best)
			}
			best, most = this, n
		}
	}
	return without(playlist, gone)
}

// captured returns how much of a rendition was captured, given that its media playlist was.
func captured(uri string, a Archive) extent {
	base, err := url.Parse(uri)
	if err != nil {
		return entry
	}
	var segments []string
	for l := range bytes.Lines(a.Read(uri)) {
		text := strings.TrimSpace(string(l))
		segment := ""
		switch {
		case strings.HasPrefix(text, "#EXT-X-MAP:"):
			segment = uriOf(base, text)
		case text != "" && text[0] != '#':
			segment = known(base, text)
		}
		if segment != "" && len(segments) < maxSegments {
			segments = append(segments, segment)
		}
	}
	if len(segments) == 0 {
		return entry
	}
	n := 0
	for _, has := range a.Has(segments) {
		if has {
			n++
		}
	}
	switch n {
	case 0:
		return entry
	case len(segments):
		return whole
	}
	return some
}

// variants returns the choices of a player: variants with the line of their URI, trick-play variants, and renditions of sound and
// subtitles. Each group of renditions is a choice of its own.
func variants(playlist []byte, base *url.URL) []choice {
	var out []choice
	tag := -1 // start of the tag of a variant whose URI line is still to come
	for at := 0; at < len(playlist); {
		end := at + len(line(playlist[at:]))
		text := strings.TrimSpace(string(playlist[at:end]))
		switch {
		case strings.HasPrefix(text, "#EXT-X-STREAM-INF:"):
			tag = at
		case strings.HasPrefix(text, "#EXT-X-I-FRAME-STREAM-INF:"):
			out = append(out, choice{trickPlay, at, end, uriOf(base, text)})
		case strings.HasPrefix(text, "#EXT-X-MEDIA:"):
			out = append(out, choice{"media " + attribute(text, "TYPE") + " " + attribute(text, "GROUP-ID"), at, end, uriOf(base, text)})
		case text != "" && text[0] != '#' && tag >= 0:
			out = append(out, choice{variant, tag, end, known(base, text)})
			tag = -1
		}
		at = end
	}
	return out
}

// line returns the first line, including its end.
func line(b []byte) []byte {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		return b[:n+1]
	}
	return b
}

// uriOf returns the URI in a tag.
func uriOf(base *url.URL, tag string) string {
	if uri := attribute(tag, "URI"); uri != "" {
		return known(base, uri)
	}
	return ""
}

// attribute returns the value of an attribute in a tag (RFC 8216 §4.2), "" if it isn't there.
func attribute(tag, name string) string {
	_, list, _ := strings.Cut(tag, ":")
	for list != "" {
		key, rest, _ := strings.Cut(list, "=")
		value, ends := "", ","
		if strings.HasPrefix(rest, `"`) {
			rest, ends = rest[1:], `"`
		}
		value, list, _ = strings.Cut(rest, ends)
		if strings.TrimSpace(key[strings.LastIndexByte(key, ',')+1:]) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// known resolves a URI, unless it has variables (EXT-X-DEFINE), which only the player knows.
func known(base *url.URL, uri string) string {
	if strings.Contains(uri, "{$") {
		return ""
	}
	return resolve(base, uri)
}
