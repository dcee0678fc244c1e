// Package control lets commands reach the server that has an index open, on a socket in a folder that only the server's user can open.
// Any web page in a browser on this machine could send requests to the server's HTTP routes, but not to the socket.
//
// [Listen] is the server's side, [Client] that of commands.
package control

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/backup"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrNoServer says that no server answers commands.
const ErrNoServer = sentinel.Error("no server answers")

// Indexed is the result of indexing files.
type Indexed struct {
	Message  string `json:"message"` // a sentence, "" if there was nothing to do
	Problems int64  `json:"problems"`
}

// A Server answers the requests of commands.
type Server struct {
	Index *index.Index
	Take  func(ctx context.Context, coll string, files []string) (Indexed, error) // indexes files
	Run   func(ctx context.Context, o Order, stdout, stderr io.Writer) (exit int)
}

// endTime is how long a server waits for the end of commands that use its index.
const endTime = 10 * time.Second

// headerTime is the time limit for the head of a request.
const headerTime = 10 * time.Second

// maxSocketPath is the length of a socket's path that all systems accept.
const maxSocketPath = 100

// socket returns the path of the socket of the server that has the folder data open.
func socket(data string) (string, error) {
	path := filepath.Join(data, "control", "socket")
	if len(path) > maxSocketPath {
		return "", fmt.Errorf("the path %s is too long for a socket: start varve in a folder from which it is shorter", path)
	}
	return path, nil
}

// Listen answers commands until stop is called.
func (s *Server) Listen(data string) (stop func(), err error) {
	path, err := socket(data)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(filepath.Dir(path)); err != nil { // left by a server that was killed: the index is ours now
		return nil, err
	}
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	running, end := context.WithCancel(context.Background())
	server := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: headerTime, BaseContext: func(net.Listener) context.Context { return running },
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l)
	}()
	return func() {
		end() // wait for running commands
		limited, cancel := context.WithTimeout(context.Background(), endTime)
		defer cancel()
		_ = server.Shutdown(limited)
		server.Close() // whatever is left
		<-done
		os.Remove(filepath.Dir(path))
	}, nil
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /entries", func(w http.ResponseWriter, r *http.Request) {
		entries := func(put func(key, value []byte) error) error { return s.Index.Dump(r.Context(), put) }
		if err := backup.Send(w, entries); err != nil {
			panic(http.ErrAbortHandler) // so that the client sees an incomplete stream
		}
	})
	mux.HandleFunc("GET /known", s.known)
	mux.HandleFunc("POST /run", s.run)
	mux.HandleFunc("POST /index", func(w http.ResponseWriter, r *http.Request) {
		var files []string
		if err := gob.NewDecoder(r.Body).Decode(&files); err != nil {
			http.Error(w, "want a collection and a list of files", http.StatusBadRequest)
			return
		}
		done, err := s.Take(r.Context(), r.URL.Query().Get("collection"), files)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(done)
	})
	return mux
}

// A Client sends requests to the server that has an index open.
type Client struct {
	Data string // the folder of the index
}

// Entries returns the entries of the index.
func (c Client) Entries(ctx context.Context) (entries backup.Entries, closeAll func() error, err error) {
	resp, err := c.do(ctx, http.MethodGet, "/entries", nil)
	if err != nil {
		return nil, nil, err
	}
	return backup.Receive(resp.Body), resp.Body.Close, nil
}

// Index lets the server index files.
func (c Client) Index(ctx context.Context, coll string, files []string) (done Indexed, err error) {
	var list bytes.Buffer
	if err := gob.NewEncoder(&list).Encode(files); err != nil { // not JSON, which has no names that aren't UTF-8
		return done, err
	}
	resp, err := c.do(ctx, http.MethodPost, "/index?"+url.Values{"collection": {coll}}.Encode(), &list)
	if err != nil {
		return done, err
	}
	defer resp.Body.Close()
	return done, json.NewDecoder(resp.Body).Decode(&done)
}

// Known returns the capture in a collection with a given payload.
func (c Client) Known(ctx context.Context, coll string, of write.Payload) (o write.Original, ok bool, err error) {
	resp, err := c.do(ctx, http.MethodGet, "/known?"+question(coll, of), nil)
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

// do sends a request. The caller closes the answer's body.
func (c Client) do(ctx context.Context, method, target string, body io.Reader) (*http.Response, error) {
	path, err := socket(c.Data)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		},
		DisableKeepAlives: true,
	}}
	req, err := http.NewRequestWithContext(ctx, method, "http://varve"+target, body)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		if refused, ok := errors.AsType[*net.OpError](err); ok && refused.Op == "dial" && !strings.Contains(err.Error(), "permission denied") {
			return nil, ErrNoServer
		}
		return nil, fmt.Errorf("asking the server that has the index: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return nil, errors.Join(fmt.Errorf("the server answers %s: %s", resp.Status, bytes.TrimSpace(said)), resp.Body.Close())
	}
	return resp, nil
}
