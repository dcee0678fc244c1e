package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/internal/sleep"
	"github.com/varve-archive/varve/internal/tracing"
)

// ErrAway says that the search engine can't be reached or can't answer now.
const ErrAway = sentinel.Error("the search engine can't be reached now; all that is no search works, try again soon")

// Environment variables for the user name and the password, which are used if the address has none.
const (
	UserVariable     = "VARVE_SEARCH_ENGINE_USER"
	PasswordVariable = "VARVE_SEARCH_ENGINE_PASSWORD" //nolint:gosec // the name of a variable
)

// A Cluster is an OpenSearch or Elasticsearch cluster that holds searches. It is safe for concurrent use.
type Cluster struct {
	nodes          []*url.URL
	user, password string
	client         *http.Client
	next           atomic.Int64 // index of the node to ask
	wait           time.Duration
}

const (
	// maxTries bounds the attempts of a write that may succeed later, with pauses that grow: about a minute in all. Readers don't wait so
	// long.
	maxTries = 9
	// firstPause is the first pause between attempts.
	firstPause = 200 * time.Millisecond
	maxPause   = 20 * time.Second
	// answerTime bounds the time for an answer.
	answerTime = time.Minute
	// dialTime bounds the time for connecting.
	dialTime = 3 * time.Second
	// maxAnswer bounds the bytes of an answer, which may hold the histories of some hundred pages.
	maxAnswer = 512 << 20
)

// New returns a cluster with one or more node addresses, separated by commas. When a node fails, the next is asked.
func New(addresses string) (*Cluster, error) {
	c := &Cluster{
		user: os.Getenv(UserVariable), password: os.Getenv(PasswordVariable), wait: firstPause,
		client: &http.Client{
			Timeout: answerTime,
			Transport: tracing.Transport("search engine", &http.Transport{
				Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: dialTime}).DialContext, MaxIdleConnsPerHost: 16,
				IdleConnTimeout: time.Minute, TLSHandshakeTimeout: dialTime,
			}),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	for _, address := range strings.Split(addresses, ",") {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, errors.New("it is no address such as https://search.example:9200")
		}
		if u.User != nil {
			c.user = u.User.Username()
			c.password, _ = u.User.Password()
			u.User = nil
		}
		c.nodes = append(c.nodes, u)
	}
	return c, nil
}

// String returns the addresses, without a password.
func (c *Cluster) String() string {
	var out []string
	for _, u := range c.nodes {
		out = append(out, u.String())
	}
	return strings.Join(out, ",")
}

// Close closes idle connections.
func (c *Cluster) Close() { c.client.CloseIdleConnections() }

type statusError struct {
	status int
	reason string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the search engine says %d: %s", e.status, e.reason)
}

func hasStatus(err error, status int) bool {
	var answer *statusError
	return errors.As(err, &answer) && answer.status == status
}

// mayRetry reports whether a request with this status may succeed when repeated: the engine is overloaded, or a part of it is unavailable.
func mayRetry(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// write sends a request, and repeats it while that may help. The request must be idempotent.
func (c *Cluster) write(ctx context.Context, method, path string, body []byte, out any) error {
	return c.try(ctx, maxTries, method, path, body, out)
}

// ask sends a reader's question. It tries each node once.
func (c *Cluster) ask(ctx context.Context, path string, question, out any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	return c.try(ctx, len(c.nodes), http.MethodPost, path, body, out)
}

// try sends a request up to n times. The error wraps [ErrAway] if the last attempt got no answer, or one that may change later.
func (c *Cluster) try(ctx context.Context, n int, method, path string, body []byte, out any) error {
	wait := c.wait
	for i := 1; ; i++ {
		node := c.next.Load()
		err := c.once(ctx, node, method, path, body, out)
		var answer *statusError
		if err == nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if errors.As(err, &answer) && !mayRetry(answer.status) {
			return err
		}
		c.next.CompareAndSwap(node, node+1)
		if i >= n {
			return fmt.Errorf("%w (%w)", ErrAway, err)
		}
		if err := sleep.For(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, maxPause)
	}
}

func (c *Cluster) once(ctx context.Context, node int64, method, path string, body []byte, out any) error {
	base := c.nodes[int(node%int64(len(c.nodes)))]
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(base.String(), "/")+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if strings.HasSuffix(path, "/_bulk") {
		r.Header.Set("Content-Type", "application/x-ndjson")
	}
	if c.user != "" {
		r.SetBasicAuth(c.user, c.password)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		if of, ok := errors.AsType[*url.Error](err); ok {
			err = of.Err // without the address, which readers needn't see
		}
		return err
	}
	defer answer.Body.Close()
	from := io.LimitReader(answer.Body, maxAnswer)
	if answer.StatusCode >= http.StatusMultipleChoices {
		return &statusError{answer.StatusCode, reasonIn(from)}
	}
	if out == nil {
		_, err = io.Copy(io.Discard, from)
		return err
	}
	return json.NewDecoder(from).Decode(out)
}

// maxReason bounds the length of an engine's error message in bytes.
const maxReason = 300

func reasonIn(body io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(body, 64<<10))
	var said struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(text, &said) == nil && len(said.Error) > 0 {
		var parts struct{ Type, Reason string }
		if json.Unmarshal(said.Error, &parts) == nil && parts.Type != "" {
			return parts.Type + ": " + strings.ToValidUTF8(parts.Reason[:min(len(parts.Reason), maxReason)], "")
		}
	}
	return strings.ToValidUTF8(string(text[:min(len(text), maxReason)]), "")
}

// Ping reports whether the engine answers.
func (c *Cluster) Ping(ctx context.Context) error {
	return c.try(ctx, len(c.nodes), http.MethodGet, "/", nil, nil)
}
