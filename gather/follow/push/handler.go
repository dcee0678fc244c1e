package push

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Where the process is reached, behind its base.
const (
	webSubPath = "/websub/"
	cloudPath  = "/rsscloud/"
	pingPath   = "/RPC2"
)

// maxDelivery is how long a delivery may be: as long as a feed.
const maxDelivery = 16 << 20

// A Sink takes what hubs, clouds and sites say. It must be safe for concurrent use.
type Sink interface {
	// Verify takes what a hub asks under a token, as [State.Verify].
	Verify(token string, q url.Values) (challenge string, ok bool)
	// Deliver takes a delivery of a hub. It reports whether the token is known; a wrong signature is the sink's to see.
	Deliver(token, signature, contentType string, body []byte) bool
	// Challenged reports whether a registration with a cloud was meant, for a feed.
	Challenged(token, feed string) bool
	// Changed takes a ping of a cloud. It reports whether it is one for a feed that is followed.
	Changed(token, feed string) bool
	// Ping takes a ping of a site, and reports whether it is followed.
	Ping(p Ping) bool
}

// Handler returns what answers hubs, clouds and sites. prefix is the path of the base, for those that reach the process with it.
func Handler(prefix string, to Sink) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+webSubPath+"{token}", func(w http.ResponseWriter, r *http.Request) {
		challenge, ok := to.Verify(r.PathValue("token"), r.URL.Query())
		answerChallenge(w, challenge, ok)
	})
	mux.HandleFunc("POST "+webSubPath+"{token}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivery))
		if err != nil {
			http.Error(w, "the delivery is too long, or ends too early", http.StatusRequestEntityTooLarge)
			return
		}
		signature := r.Header.Get("X-Hub-Signature")
		if !to.Deliver(r.PathValue("token"), signature, r.Header.Get("Content-Type"), body) {
			http.Error(w, "there is no such subscription", http.StatusGone)
			return
		}
		w.WriteHeader(http.StatusAccepted) // also if it is not signed: who forges learns nothing (§8)
	})
	mux.HandleFunc("GET "+cloudPath+"{token}", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		answerChallenge(w, q.Get("challenge"), to.Challenged(r.PathValue("token"), q.Get("url")))
	})
	mux.HandleFunc("POST "+cloudPath+"{token}", func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxPing)
		if !to.Changed(r.PathValue("token"), r.FormValue("url")) {
			http.Error(w, "there is no such registration", http.StatusNotFound)
		}
	})
	mux.HandleFunc("POST "+pingPath, func(w http.ResponseWriter, r *http.Request) {
		message, failed := "Thanks for the ping.", false
		if p, err := ParsePing(r.Body); err != nil {
			message, failed = "This can't be taken: "+err.Error()+".", true
		} else if !to.Ping(p) {
			message, failed = "This site is not followed here.", true
		}
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_ = answerPing(w, message, failed) // who does not read it does not get it
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, prefix+"/"); ok && prefix != "" {
			r.URL.Path, r.URL.RawPath = "/"+rest, ""
		}
		mux.ServeHTTP(w, r)
	})
}

// answerChallenge sends a challenge back, as text so that no browser shows it as a page of this server.
func answerChallenge(w http.ResponseWriter, challenge string, ok bool) {
	if !ok {
		http.Error(w, "there is no such subscription", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, challenge)
}
