package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// lookedThrough is how many captures of a URL are looked through for a payload, the newest ones.
const lookedThrough = 50

// known returns the newest capture of a URL with the same payload and status.
func known(ctx context.Context, x *index.Index, coll string, p write.Payload, now time.Time) (*cdx.Capture, error) {
	seen := 0
	for c, err := range x.Closest(ctx, coll, surt.Of(p.URI), cdx.FromTime(now)) {
		if err != nil {
			return nil, err
		}
		if c.Kind == cdx.Response && c.Status == p.Status && c.Digest == p.Digest.String() {
			found := *c
			return &found, nil
		}
		if seen++; seen == lookedThrough {
			break
		}
	}
	return nil, nil
}

// A knownAnswer is what a server says of a payload that it has.
type knownAnswer struct {
	URL  string        `json:"url"`
	Time cdx.Timestamp `json:"timestamp"`
}

// answerKnown tells a command which capture has a payload already; null if none has.
func answerKnown(x *index.Index, w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	digest, err := warc.ParseDigest(q.Get("digest"))
	status, badStatus := strconv.Atoi(q.Get("status"))
	if err != nil || badStatus != nil {
		http.Error(w, "want url, digest and status", http.StatusBadRequest)
		return
	}
	c, err := known(r.Context(), x, q.Get("collection"), write.Payload{URI: q.Get("url"), Status: status, Digest: digest}, time.Now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var answer *knownAnswer
	if c != nil {
		answer = &knownAnswer{c.URL, c.Time}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// askKnown asks a running server which capture has a payload already.
func (p *program) askKnown(ctx context.Context, of write.Payload) (o write.Original, ok bool, err error) {
	q := url.Values{"collection": {p.Collection}, "url": {of.URI}, "digest": {fmt.Sprint(of.Digest)}, "status": {strconv.Itoa(of.Status)}}
	resp, err := p.command(ctx, http.MethodGet, "/known?"+q.Encode(), nil)
	if err != nil {
		return o, false, err
	}
	defer resp.Body.Close()
	var answer *knownAnswer
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer == nil {
		return o, false, err
	}
	return write.Original{URI: answer.URL, Time: answer.Time.Time()}, true, nil
}
