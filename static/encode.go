package static

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// packed compresses a body. It returns nil if that saves less than a tenth, which isn't worth a Vary.
func packed(body []byte) []byte {
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := z.Write(body); err != nil || z.Close() != nil || buf.Len() > len(body)*9/10 {
		return nil
	}
	return buf.Bytes()
}

// send answers with the gzip form if the client accepts it. The two forms have different ETags (RFC 9110 §8.8.3.3).
// [http.ServeContent] handles conditions and ranges.
func (a asset) send(w http.ResponseWriter, r *http.Request) {
	h, body, tag := w.Header(), a.body, a.hash
	if packed := a.gzip(); packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if takesGzip(r.Header.Get("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			body, tag = packed, a.hash+"-gzip"
		}
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// takesGzip reports whether an Accept-Encoding, as browsers write it, accepts gzip. A weight of zero refuses it (RFC 9110 §12.5.3).
func takesGzip(accept string) bool {
	for item := range strings.SplitSeq(accept, ",") {
		coding, weight, _ := strings.Cut(strings.ReplaceAll(item, " ", ""), ";")
		if strings.EqualFold(coding, "gzip") {
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}
