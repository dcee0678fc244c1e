package push

import (
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Paths of the process, relative to its public URL.
const (
	webSubPath = "/websub/"
	cloudPath  = "/rsscloud/"
	pingPath   = "/RPC2"
)

// maxDelivery is the largest size of a delivery, in bytes: that of a feed.
const maxDelivery = 16 << 20

// A Sink handles the messages of hubs, clouds and sites. It must be safe for concurrent use.
type Sink interface {
	// Verify handles a hub's verification request for a token, as [State.Verify].
	Verify(token string, q url.Values) (challenge string, ok bool)
	// Deliver handles a delivery of a hub. It reports whether the token is known; the sink checks the signature.
	Deliver(token, signature, contentType string, body []byte) bool
	// Challenged reports whether a registration with a cloud was requested for a feed.
	Challenged(token, feed string) bool
	// Changed handles a notification from a cloud. It reports whether its feed is followed.
	Changed(token, feed string) bool
	// Ping handles a ping from a site, and reports whether the site is followed.
	Ping(p Ping) bool
}

// Handler returns the handler for messages of hubs, clouds and sites. prefix is the path of the public URL, which some requests
// include.
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
		w.WriteHeader(http.StatusAccepted) // also without a valid signature, so that a forger learns nothing (§8)
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
		_ = answerPing(w, message, failed) // a client that is gone gets no answer
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, prefix+"/"); ok {
			r.URL.Path, r.URL.RawPath = "/"+rest, ""
		}
		mux.ServeHTTP(w, r)
	})
}

// answerChallenge sends a challenge back as plain text, so that no browser shows it as a page of this server.
func answerChallenge(w http.ResponseWriter, challenge string, ok bool) {
	if !ok {
		http.Error(w, "there is no such subscription", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, challenge)
}
