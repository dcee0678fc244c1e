package fetch

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/politeness"
	"github.com/varve-archive/varve/internal/sleep"
	"github.com/varve-archive/varve/rewrite/reference"
)

const (
	// maxTries bounds the requests for one address.
	maxTries = 5
	// defaultTurn is the default wait for a turn at a host.
	defaultTurn = 50 * time.Millisecond
)

// A Polite is a [Web] that limits the requests to each host, and repeats those that failed temporarily.
type Polite struct {
	client *client.Client
	hosts  *politeness.Hosts
}

// NewPolite returns a Web on a client, with the limits of cfg.
func NewPolite(client *client.Client, cfg politeness.Config) *Polite {
	return &Polite{client: client, hosts: politeness.New(cfg)}
}

func (p *Polite) Get(ctx context.Context, uri string, head http.Header) (*http.Response, error) {
	u, err := address(uri)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		answer, err := p.ask(ctx, u, head)
		switch {
		case err != nil && (ctx.Err() != nil || isFinal(err) || try == maxTries):
			return nil, fmt.Errorf("%s: %w", uri, err)
		case err == nil && (!isBusy(answer) && !isCutOff(answer) || try == maxTries):
			return answer, nil
		case err == nil:
			answer.Body.Close()
		}
	}
}

// address parses an address to request. A stray % is encoded, as browsers leave it and Go refuses it.
func address(uri string) (*url.URL, error) {
	u, err := url.Parse(uri)
	if err == nil {
		return u, nil
	}
	encoded, wrong := reference.Web("", uri)
	if wrong != nil {
		return nil, err
	}
	return url.Parse(encoded)
}

// isFinal reports whether repeating the request is useless.
func isFinal(err error) bool {
	var unknown *net.DNSError
	var invalid *tls.CertificateVerificationError
	return errors.Is(err, client.ErrPrivate) || errors.As(err, &unknown) && unknown.IsNotFound || errors.As(err, &invalid)
}

// isBusy reports whether a host is temporarily unable to answer. A captured status may say the same.
func isBusy(answer *http.Response) bool {
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		return !isMemento(answer)
	}
	return false
}

// isCutOff reports whether a connection ended before the answer did.
func isCutOff(answer *http.Response) bool {
	b, ok := answer.Body.(*body)
	return ok && b.of.Truncated == "disconnect"
}

// ask makes one request when the host is free.
func (p *Polite) ask(ctx context.Context, u *url.URL, head http.Header) (*http.Response, error) {
	if err := p.wait(ctx, u.Host); err != nil {
		return nil, err
	}
	e, err := p.client.Get(ctx, u.String(), head)
	if err != nil {
		// No answer counts as an overloaded host.
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
		if err := sleep.For(ctx, max(wait, defaultTurn)); err != nil {
			return err
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

// A body is the body of an exchange. Reading it ends with an error if it is truncated.
type body struct {
	io.Reader
	of *client.Exchange
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && b.of.Truncated != "" {
		err = fmt.Errorf("the answer was cut off (%s): %w", b.of.Truncated, io.ErrUnexpectedEOF)
	}
	return n, err
}

func (b *body) Close() error { return b.of.Close() }
