package s3test

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// strict makes the server in memory behave like MinIO where it differs: it reads parts that are signed in chunks, accepts empty objects,
// honours conditions when completing an upload, and refuses names with "..".
func strict(h http.Handler) http.Handler {
	var completing sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains("/"+r.URL.Path+r.URL.Query().Get("prefix")+"/", "/../") {
			refuse(w, http.StatusBadRequest, "XMinioInvalidResourceName")
			return
		}
		if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
			body, err := unchunked(r.Body)
			if err != nil {
				refuse(w, http.StatusBadRequest, "IncompleteBody")
				return
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Del("X-Amz-Content-Sha256")
			r.Header.Del("X-Amz-Decoded-Content-Length")
		}
		if r.Method == http.MethodPut {
			r.Header.Set("Content-Length", strconv.FormatInt(max(0, r.ContentLength), 10))
		}
		if r.Method == http.MethodPost && r.URL.Query().Has("uploadId") && r.Header.Get("If-None-Match") == "*" {
			completing.Lock()
			defer completing.Unlock()
			if exists(h, r) {
				refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprint(w, xml.Header)
	_ = xml.NewEncoder(w).Encode(struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
	}{Code: code})
}

// exists reports whether there is the object that a request is about.
func exists(h http.Handler, r *http.Request) bool {
	head := httptest.NewRequest(http.MethodHead, r.URL.EscapedPath(), nil)
	head.Host = r.Host
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, head)
	return answer.Code == http.StatusOK
}

// unchunked reads a body of chunks, each with its length and signature before it.
func unchunked(from io.Reader) (body []byte, err error) {
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		digits, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		n, err := strconv.ParseInt(digits, 16, 32)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			_, err = io.Copy(io.Discard, in) // what follows the last
			return body, err
		}
		chunk := make([]byte, n+2) // with the end of its line
		if _, err := io.ReadFull(in, chunk); err != nil {
			return nil, err
		}
		body = append(body, chunk[:n]...)
	}
}
