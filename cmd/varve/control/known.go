package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// A knownAnswer is the server's capture with a payload.
type knownAnswer struct {
	URL  string        `json:"url"`
	Time cdx.Timestamp `json:"timestamp"`
}

func question(coll string, of write.Payload) string {
	return url.Values{
		"collection": {coll}, "url": {of.URI}, "digest": {fmt.Sprint(of.Digest)}, "status": {strconv.Itoa(of.Status)},
	}.Encode()
}

// known answers with the capture that has a payload; null if there is none.
func (s *Server) known(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	digest, err := warc.ParseDigest(q.Get("digest"))
	status, badStatus := strconv.Atoi(q.Get("status"))
	if err != nil || badStatus != nil {
		http.Error(w, "want url, digest and status", http.StatusBadRequest)
		return
	}
	answer, err := s.find(r.Context(), q.Get("collection"), write.Payload{URI: q.Get("url"), Status: status, Digest: digest})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// maxSearched is the number of captures of a URL that are searched for a payload, newest first.
const maxSearched = 50

// find returns the newest capture of a URL with the same payload and status, or nil.
func (s *Server) find(ctx context.Context, coll string, p write.Payload) (*knownAnswer, error) {
	seen := 0
	for c, err := range s.Index.Closest(ctx, coll, surt.Of(p.URI), cdx.FromTime(time.Now())) {
		if err != nil {
			return nil, err
		}
		if c.Kind == cdx.Response && c.Status == p.Status && c.Digest == p.Digest.String() {
			return &knownAnswer{c.URL, c.Time}, nil
		}
		if seen++; seen == maxSearched {
			break
		}
	}
	return nil, nil
}
