package rewrite

import (
	"bytes"
	"io"

	"github.com/varve-archive/varve/rewrite/charset"
	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// HLS rewrites a playlist (RFC 8216): the lines that are URIs, and the URI attributes of tags. URIs with variables
// (EXT-X-DEFINE) stay, since only the player knows their values.
func HLS(w io.Writer, r io.Reader, o Options) error {
	return rewrite(w, r, &hlsScanner{base: reference.New(o.Base, nil)}, o, windowSize)
}

type hlsScanner struct{ base *reference.Base }

func (s *hlsScanner) scan(src []byte, last bool, e *edit.List) int {
	at := 0
	for at < len(src) {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			if !last && len(src)-at <= maxToken {
				break
			}
			n = len(src) - at
		}
		s.line(src[at:at+n], at, e)
		at = min(at+n+1, len(src))
	}
	return at
}

func (s *hlsScanner) line(line []byte, at int, e *edit.List) {
	text := bytes.TrimSpace(line)
	if bytes.HasPrefix(text, []byte(charset.BOM)) || len(text) == 0 {
		return
	}
	if text[0] != '#' {
		s.uri(text, at+bytes.Index(line, text), e)
		return
	}
	if !bytes.HasPrefix(text, []byte("#EXT")) {
		return
	}
	for i := 0; ; {
		n := bytes.Index(line[i:], []byte(`="`))
		if n < 0 {
			return
		}
		name := line[i : i+n]
		i += n + len(`="`)
		end := bytes.IndexByte(line[i:], '"')
		if end < 0 {
			return
		}
		if bytes.HasSuffix(name, []byte("URI")) || bytes.HasSuffix(name, []byte("X-ASSET-LIST")) {
			s.uri(line[i:i+end], at+i, e)
		}
		i += end + 1
	}
}

func (s *hlsScanner) uri(uri []byte, at int, e *edit.List) {
	if !bytes.Contains(uri, []byte("{$")) {
		e.Reference(at, at+len(uri), uri, s.base, uses.Object, edit.Verbatim)
	}
}
