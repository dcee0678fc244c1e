package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A question is a request and a check of its answer.
type question struct {
	method, target string // a path of the server, or a whole URI for its proxy
	header         map[string]string
	body           []byte
	manner         manner
	// right returns what is wrong with an answer, "" if nothing is.
	right func(a *answer) string
}

// A manner is how a client behaves.
type manner int

const (
	reads   manner = iota
	leaves         // closes the connection after the first bytes
	dawdles        // reads slowly
	babbles        // sends the raw target on a new connection
)

// An answer is what was received.
type answer struct {
	status       int
	header       http.Header
	body         []byte
	began, ended time.Time
}

// A client asks the server, and its proxy.
type client struct {
	url           string
	direct, proxy *http.Client
}

const tooLong = time.Minute // for an answer, with its body

func newClient(s *server) (*client, error) {
	proxy, err := url.Parse(s.proxy)
	if err != nil {
		return nil, err
	}
	follow := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	through := func(proxy func(*http.Request) (*url.URL, error)) *http.Client {
		return &http.Client{Timeout: tooLong, CheckRedirect: follow, Transport: &http.Transport{
			Proxy: proxy, DisableCompression: true, MaxIdleConnsPerHost: 16, IdleConnTimeout: 20 * time.Second,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // the proxy's certificates for archived hosts
		}}
	}
	return &client{url: s.url, direct: through(nil), proxy: through(http.ProxyURL(proxy))}, nil
}

// rest closes connections that nobody uses.
func (c *client) rest() {
	c.direct.CloseIdleConnections()
	c.proxy.CloseIdleConnections()
}

// do asks a question. An answer that the client did not wait for has no status.
func (c *client) do(ctx context.Context, q *question) (*answer, error) {
	if q.manner == babbles {
		return c.babble(ctx, q)
	}
	by, uri := c.direct, c.url
	if !strings.HasPrefix(q.target, "/") {
		by, uri = c.proxy, q.target
	}
	req, err := http.NewRequestWithContext(ctx, q.method, uri, bytes.NewReader(q.body))
	if err != nil {
		return nil, err
	}
	if by == c.direct {
		req.URL.Opaque = q.target // unchanged, even if it isn't a valid path
	}
	for name, value := range q.header {
		req.Header.Set(name, value)
	}
	a := &answer{began: time.Now()}
	response, err := by.Do(req)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	switch q.manner {
	case leaves:
		_, err = io.CopyN(io.Discard, response.Body, 100)
		if errors.Is(err, io.EOF) {
			err = nil
		}
	case dawdles:
		err = dawdle(response.Body)
	default:
		a.body, err = io.ReadAll(response.Body)
	}
	a.status, a.header, a.ended = response.StatusCode, response.Header, time.Now()
	return a, err
}

// dawdle reads for some seconds, and leaves.
func dawdle(r io.Reader) error {
	for range 40 {
		if _, err := io.CopyN(io.Discard, r, 16<<10); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// babble sends bytes that are no request, and reads what comes.
func (c *client) babble(ctx context.Context, q *question) (*answer, error) {
	a := &answer{began: time.Now()}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(tooLong))
	_, _ = conn.Write([]byte(q.target)) // it may be refused before its end
	a.body, _ = io.ReadAll(io.LimitReader(conn, 1<<16))
	a.ended = time.Now()
	return a, nil
}
