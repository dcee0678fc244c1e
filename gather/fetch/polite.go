package fetch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/politeness"
)

const (
	// tries bounds how often one address is asked.
	tries = 5
	// turn is how long to wait where nothing says when it is the next one's turn at a host.
	turn = 50 * time.Millisecond
)

// A Polite asks hosts as slowly as they want it, and again what they could not answer. It is a [Web].
type Polite struct {
	client *client.Client
	hosts  *politeness.Hosts
}

// NewPolite returns a Web that asks by client in the manner of cfg.
func NewPolite(client *client.Client, cfg politeness.Config) *Polite {
	return &Polite{client: client, hosts: politeness.New(cfg)}
}

// Get implements [Web].
func (p *Polite) Get(ctx context.Context, uri string, head http.Header) (*http.Response, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		answer, err := p.ask(ctx, u, head)
		switch {
		case err != nil && (ctx.Err() != nil || isFinal(err) || try == tries):
			return nil, fmt.Errorf("%s: %w", uri, err)
		case err == nil && (!isBusy(answer) || try == tries):
			return answer, nil
		case err == nil:
			answer.Body.Close()
		}
	}
}

// isFinal reports whether asking again would find the same.
func isFinal(err error) bool {
	var unknown *net.DNSError
	return errors.Is(err, client.ErrPrivate) || errors.As(err, &unknown) && unknown.IsNotFound
}

// isBusy reports whether a host has no answer just now. A memento may have been captured like that.
func isBusy(answer *http.Response) bool {
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		return !isMemento(answer)
	}
	return false
}

// ask asks once, when it is time.
func (p *Polite) ask(ctx context.Context, u *url.URL, head http.Header) (*http.Response, error) {
	if err := p.wait(ctx, u.Host); err != nil {
		return nil, err
	}
	e, err := p.client.Get(ctx, u.String(), head)
	if err != nil {
		// No answer at all is taken as being too busy for one.
		p.hosts.Done(u.Host, time.Now(), politeness.Answer{Status: http.StatusServiceUnavailable})
		return nil, err
	}
	p.hosts.Done(u.Host, time.Now(), politeness.Answer{Took: e.Took, Status: e.Status, RetryAfter: e.Header.Get("Retry-After")})
	return response(u, e)
}

func (p *Polite) wait(ctx context.Context, host string) error {
	for {
		ok, wait := p.hosts.Take(host, time.Now())
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(wait, turn)):
		}
	}
}

// response returns the answer of an exchange. Closing its body closes the exchange.
func response(u *url.URL, e *client.Exchange) (*http.Response, error) {
	r, err := http.ReadResponse(bufio.NewReader(e.Response()), &http.Request{Method: http.MethodGet, URL: u})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	r.Body = &body{r.Body, e}
	return r, nil
}

// A body is that of an exchange. It ends with an error if it is not whole.
type body struct {
	io.Reader
	of *client.Exchange
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && b.of.Truncated != "" {
		err = fmt.Errorf("the answer was cut off (%s): %w", b.of.Truncated, io.ErrUnexpectedEOF)
	}
	return n, err
}

// Close implements [io.Closer].
func (b *body) Close() error { return b.of.Close() }
