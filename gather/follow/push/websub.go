package push

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/memento"
)

// Subscribe returns the form that requests a subscription from a hub (§5.1). base is the public URL of this process.
func (s *State) Subscribe(base string, now time.Time) url.Values {
	if s.Secret == "" {
		s.Secret = rand.Text() + rand.Text()
	}
	s.asking(now)
	return url.Values{
		"hub.callback":      {base + webSubPath + s.Token},
		"hub.mode":          {"subscribe"},
		"hub.topic":         {s.Topic},
		"hub.lease_seconds": {strconv.Itoa(int(lease.Seconds()))},
		"hub.secret":        {s.Secret},
	}
}

const (
	minLease = time.Minute
	maxLease = 90 * 24 * time.Hour
)

// Verify handles a hub's request to verify a subscription (§5.3), or its denial (§5.2). It returns the challenge to send back; ok
// is false if the subscription wasn't requested.
func (s *State) Verify(q url.Values, now time.Time) (challenge string, ok bool) {
	if s.Hub == "" || q.Get("hub.topic") != s.Topic {
		return "", false
	}
	switch q.Get("hub.mode") {
	case "denied":
		s.Until = time.Time{}
		s.Fail(now, "the hub denied it: "+clean(q.Get("hub.reason")))
		return "", true
	case "subscribe":
		challenge = q.Get("hub.challenge")
		seconds, _ := strconv.Atoi(q.Get("hub.lease_seconds")) // 0 for no number, the largest for one that is too large
		if challenge == "" || seconds <= 0 || now.Sub(s.Asked) > answerTime {
			return "", false
		}
		s.accepted(now, max(min(time.Duration(min(seconds, 1<<30))*time.Second, maxLease), minLease))
		return challenge, true
	}
	return "", false // it is never unsubscribed: leases end
}

// clean shortens foreign text for display.
func clean(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// ErrSignature says that the signature of a delivery is missing or wrong.
const ErrSignature = sentinel.Error("the signature is not that of the hub")

// Signed checks the signature of a delivery (§8).
func (s *State) Signed(signature string, body []byte) error {
	method, sum, ok := strings.Cut(signature, "=")
	if !ok {
		return fmt.Errorf("%w: there is none", ErrSignature)
	}
	algorithm := map[string]func() hash.Hash{"sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New}[method]
	if algorithm == nil {
		return fmt.Errorf("%w: the method %.20q is not known", ErrSignature, method)
	}
	given, err := hex.DecodeString(sum)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	own := hmac.New(algorithm, []byte(s.Secret))
	_, _ = own.Write(body)
	if s.Secret == "" || !hmac.Equal(given, own.Sum(nil)) {
		return ErrSignature
	}
	return nil
}

// Discover returns the hubs and the topic in the Link fields of an answer (§4), which take precedence over those in the document.
func Discover(header http.Header) (hubs []string, self string) {
	for _, field := range header.Values("Link") {
		links, _ := memento.ParseLinks(field) // those before a fault count
		for _, l := range links {
			for _, rel := range l.Rels {
				switch {
				case strings.EqualFold(rel, "hub") && len(hubs) < 8:
					hubs = append(hubs, l.URI)
				case strings.EqualFold(rel, "self"):
					self = l.URI
				}
			}
		}
	}
	return hubs, self
}
