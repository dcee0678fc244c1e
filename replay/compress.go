package replay

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"

	"github.com/varve-archive/varve/replay/respond"
)

// minCompressed is the smallest size that is compressed, in bytes: smaller answers fit into one packet anyway.
const minCompressed = 1024

// compress compresses text as Accept-Encoding allows, preferring zstd to gzip. Streams still stream, since flushing
// reaches the client. It leaves ranges alone, and answers that called [respond.SendAsIs].
func compress(next http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.ContentTypeFilter(respond.Compressible), gzhttp.MinSize(minCompressed))
	if err != nil {
		return nil, err
	}
	compressed := wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Del("Vary") // the wrapper sets it on all answers; varying adds it to those that vary
		next.ServeHTTP(&compressing{w, varyingUnder(w)}, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &varying{ResponseWriter: w, unmeasured: r.Method == http.MethodHead && (respond.Accepts(r, "gzip") || respond.Accepts(r, "zstd"))}
		compressed.ServeHTTP(v, r)
		if !v.begun { // the head of an answer without a body, as net/http would write it
			v.WriteHeader(http.StatusOK)
		}
	}), nil
}

// compressing is the writer that handlers get. It implements [respond.SendAsIs].
type compressing struct {
	http.ResponseWriter
	out *varying
}

func (c *compressing) SendAsIs() {
	c.Header().Set(gzhttp.HeaderNoCompression, "1") // the wrapper removes it again
	c.out.asIs = true
}

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (c *compressing) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// varying adds Accept-Encoding to Vary if it matters, even if the request has none, because a cache may keep the answer for other
// clients.
type varying struct {
	http.ResponseWriter
	begun bool
	asIs  bool
	// unmeasured says that the length of a compressible answer is unknown: HEAD is asked for what would be sent compressed (RFC 9110 §8.6).
	unmeasured bool
}

// varyingUnder finds the varying below the wrapper's writer.
func varyingUnder(w http.ResponseWriter) *varying {
	for {
		if v, ok := w.(*varying); ok {
			return v
		}
		under, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return new(varying)
		}
		w = under.Unwrap()
	}
}

func (v *varying) WriteHeader(status int) {
	if !v.begun && status >= 200 {
		v.begun = true
		h := v.Header()
		if !v.asIs && h.Get("Content-Length") != "0" && respond.Compressible(h.Get("Content-Type")) {
			respond.Vary(h, "Accept-Encoding")
			if v.unmeasured && h.Get("Content-Encoding") == "" {
				h.Del("Content-Length")
			}
		}
	}
	v.ResponseWriter.WriteHeader(status)
}

func (v *varying) Write(b []byte) (int, error) {
	if !v.begun {
		v.WriteHeader(http.StatusOK)
	}
	return v.ResponseWriter.Write(b)
}

// Flush implements [http.Flusher], which the wrapper looks for.
func (v *varying) Flush() { _ = http.NewResponseController(v.ResponseWriter).Flush() }

// Unwrap lets [http.ResponseController] reach the wrapped writer.
func (v *varying) Unwrap() http.ResponseWriter { return v.ResponseWriter }
