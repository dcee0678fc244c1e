package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/politeness"
)

const (
	// SignatureHeader has the HMAC of the body in the form sha256=HEX, which WebSub §7 and many webhook receivers use.
	SignatureHeader = "X-Hub-Signature-256"
	// DeliveryHeader has the ID of the delivery. A repeated delivery has the same ID.
	DeliveryHeader = "X-Varve-Delivery"
	postTime       = time.Minute
)

// A Message is the body of a webhook.
type Message struct {
	ID      string    `json:"id"`
	Feed    string    `json:"feed"`
	Title   string    `json:"title"`
	Changes []Changed `json:"changes"` // oldest last
}

// A Changed is one change in a message.
type Changed struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Datetime time.Time `json:"datetime"`
	URIM     string    `json:"uri_m"`
	Diff     string    `json:"diff,omitempty"`
	Summary  string    `json:"summary"` // HTML
}

func (n *Notifier) post(ctx context.Context, r *Rule, rule ruleID, d *Delivery) error {
	m := Message{ID: d.id(rule), Feed: d.Feed, Title: d.Title}
	for i := range d.Entries {
		e := &d.Entries[i]
		m.Changes = append(m.Changes, Changed{
			ID: e.ID, Title: e.Title, Datetime: e.Updated.Time, URIM: e.Link("alternate"), Diff: e.Link("related"), Summary: e.Summary.Body,
		})
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	header := http.Header{"Content-Type": {"application/json"}, DeliveryHeader: {m.ID}}
	if r.Secret != "" {
		header.Set(SignatureHeader, "sha256="+Sign(r.Secret, body))
	}
	return n.send2xx(ctx, r.Address, body, header)
}

// Sign returns the HMAC-SHA256 of a body under a secret, in hexadecimal.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// publish tells a hub that a feed has changed. WebSub doesn't define the request; all hubs accept this one.
func (n *Notifier) publish(ctx context.Context, r *Rule) error {
	feed := public(r.feed(n.Archive)) // where it is now
	form := url.Values{"hub.mode": {"publish"}, "hub.url": {feed}, "hub.topic": {feed}}
	return n.send2xx(ctx, r.Address, []byte(form.Encode()), http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
}

// send2xx posts a body and expects a 2xx status. It doesn't follow redirects: a receiver that moves must be configured anew.
func (n *Notifier) send2xx(ctx context.Context, address string, body []byte, header http.Header) error {
	ctx, cancel := context.WithTimeout(ctx, postTime)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return finalError{err}
	}
	q.Header = header
	if user := q.URL.User; user != nil {
		password, _ := user.Password()
		q.SetBasicAuth(user.Username(), password)
		q.URL.User = nil
		address = q.URL.String() // as errors name it
	}
	q.Header.Set("User-Agent", n.UserAgent)
	const enough = 64 << 10
	c := client.New(client.Config{AllowPrivate: n.AllowPrivate, MaxBytes: enough})
	defer c.Close()
	answer, err := c.Do(ctx, q, nil)
	if errors.Is(err, client.ErrPrivate) {
		return fmt.Errorf("%w (allow_private)", err)
	} else if err != nil {
		return err
	}
	defer answer.Close()
	if answer.Status >= 200 && answer.Status <= 299 {
		return nil
	}
	said, _ := answer.Body(enough)
	err = fmt.Errorf("%s answers %d %s: %.200q", address, answer.Status, http.StatusText(answer.Status), firstLine(bytes.NewReader(said)))
	wait, later := politeness.RetryAfter(answer.Header.Get("Retry-After"), n.now())
	switch answer.Status {
	case http.StatusGone, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		if !later {
			return finalError{err}
		}
	}
	return laterError{err, wait}
}
