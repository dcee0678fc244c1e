package rewrite

import (
	"bytes"
	"encoding/base64"
	"mime"
	"strings"

	"github.com/varve-archive/varve/rewrite/edit"
	"github.com/varve-archive/varve/rewrite/mediatype"
	"github.com/varve-archive/varve/rewrite/reference"
	"github.com/varve-archive/varve/rewrite/uses"
)

// dataSheet handles text that is a data: URL of a style sheet. Nothing is relative to such a URL.
func dataSheet(text []byte, e *edit.List) {
	isSheet := func(mediaType string) bool { return mediaType == "text/css" }
	dataURL(text, isSheet, e, func(sheet []byte) {
		c := cssScanner{base: reference.New("", nil), inData: true}
		c.scan(sheet, true, e)
	})
}

// dataScript handles text that is a data: URL of a script. Browsers also run one without a type.
func (h *htmlScanner) dataScript(text []byte, use uses.Use) {
	isScript := func(mediaType string) bool {
		return mediaType == "" && !use.IsModule() || mediatype.IsJavaScript(mediaType)
	}
	dataURL(text, isScript, h.e, func(script []byte) {
		h.newScript(use).scan(script, true, h.e)
	})
}

// dataURL decodes text if it is a data: URL of a wanted type, and lets scan find what to change in its body.
func dataURL(text []byte, wanted func(mediaType string) bool, e *edit.List, scan func(body []byte)) {
	comma := bytes.IndexByte(text, ',')
	if comma < len("data:") || !isData(text) {
		return
	}
	kind, coded := cutBase64(string(text[len("data:"):comma]))
	if mediaType, _, err := mime.ParseMediaType(kind); err != nil && strings.TrimSpace(kind) != "" || !wanted(mediaType) {
		return
	}
	body := decodePercent(text, comma+1)
	e.Wholly(func() {
		if coded {
			e.Recode(comma+1, len(text), decodeBase64(body.Text), scan)
		} else {
			body.Within(e, edit.InData, scan)
		}
	})
}

// isData reports whether a reference is a data: URL.
func isData(ref []byte) bool {
	return len(ref) > len("data:") && bytes.EqualFold(ref[:len("data:")], []byte("data:"))
}

// cutBase64 cuts "base64" off the end of head, the part of a data: URL before the body (Fetch, "data: URL processor").
func cutBase64(head string) (kind string, found bool) {
	const word = "base64"
	if before := len(head) - len(word); before >= 0 && strings.EqualFold(head[before:], word) {
		return strings.CutSuffix(strings.TrimRight(head[:before], " "), ";")
	}
	return head, false
}

// decodeBase64 decodes base64 as browsers do: it ignores white space and missing padding (Infra, "forgiving-base64 decode"). It
// returns nil if text isn't base64.
func decodeBase64(text []byte) []byte {
	text, _, _ = bytes.Cut(text, []byte("#"))
	text = bytes.TrimRight(bytes.Join(bytes.Fields(text), nil), "=")
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	n, err := base64.RawStdEncoding.Decode(out, text)
	if err != nil {
		return nil
	}
	return out[:n]
}

// decodePercent decodes the body of a data: URL, which begins at byte at of text.
func decodePercent(text []byte, at int) edit.Part {
	p := edit.Part{At: at}
	for i := at; i < len(text); {
		c, n := text[i], 1
		if c == '%' && i+2 < len(text) && unhex(text[i+1]) >= 0 && unhex(text[i+2]) >= 0 {
			c, n = byte(unhex(text[i+1])<<4|unhex(text[i+2])), 3
		}
		p.Text, p.Pos = append(p.Text, c), append(p.Pos, int32(i))
		i += n
	}
	p.Pos = append(p.Pos, int32(len(text)))
	return p
}

// unhex returns the value of a digit in base 16, -1 for any other byte.
func unhex(c byte) int {
	n := strings.IndexByte("0123456789abcdefABCDEF", c)
	if n > 15 {
		n -= 6
	}
	return n
}
