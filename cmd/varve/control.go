package main

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
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/backup"
	"github.com/varve-archive/varve/archive/index"
)

// A server has its index for itself, so it has to help commands that need the whole of it. It does so on a socket in a folder
// that only its user can open: a route of its HTTP server could be asked by any page that somebody visits on this
// machine.

// commandsEnd is how long a server waits for commands to end that use its index.
const commandsEnd = 10 * time.Second

// longestSocket is how long the path of a socket may be on all systems.
const longestSocket = 100

// socketPath returns where the socket of a server is.
func (p *program) socketPath() (string, error) {
	path := filepath.Join(p.Data, "control", "socket")
	if len(path) > longestSocket {
		return "", fmt.Errorf("the path %s is too long for a socket: start varve in a folder from which it is shorter", path)
	}
	return path, nil
}

// listenForCommands answers commands until what it returns is called. Files at some places are indexed by themselves.
func (p *program) listenForCommands(x *index.Index, at []place) (stop func()) {
	failed := func(err error) func() {
		p.log().Warn("varve backup won't work while this server runs, nor does it take files from varve crawl, fetch and record", "error", err)
		return func() {}
	}
	path, err := p.socketPath()
	if err != nil {
		return failed(err)
	}
	if err := os.RemoveAll(filepath.Dir(path)); err != nil { // of a server that was killed: the index is ours
		return failed(err)
	}
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		return failed(err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return failed(err)
	}
	running, end := context.WithCancel(context.Background())
	server := &http.Server{
		Handler: p.commandsOn(x, at), ReadHeaderTimeout: readHeaderTimeout, BaseContext: func(net.Listener) context.Context { return running },
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l)
	}()
	return func() {
		end() // of commands that are running
		limited, cancel := context.WithTimeout(context.Background(), commandsEnd)
		defer cancel()
		if server.Shutdown(limited) != nil {
			server.Close()
		}
		<-done
		os.Remove(filepath.Dir(path))
	}
}

// commandsOn answers what commands ask a server with an index.
func (p *program) commandsOn(x *index.Index, at []place) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /entries", func(w http.ResponseWriter, r *http.Request) {
		entries := func(put func(key, value []byte) error) error { return x.Dump(r.Context(), put) }
		if err := backup.Send(w, entries); err != nil {
			panic(http.ErrAbortHandler) // the stream has no end then, which says it
		}
	})
	mux.HandleFunc("GET /known", func(w http.ResponseWriter, r *http.Request) { answerKnown(x, w, r) })
	mux.HandleFunc("POST /index", func(w http.ResponseWriter, r *http.Request) {
		var files []string
		coll := r.URL.Query().Get("collection")
		if err := json.NewDecoder(r.Body).Decode(&files); err != nil || !collectionName.MatchString(coll) {
			http.Error(w, "want a collection and a list of files", http.StatusBadRequest)
			return
		}
		done, err := p.takeOrAwait(r.Context(), x, at, coll, files)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(done)
	})
	return mux
}

// errNoServer says that no server answers commands.
var errNoServer = errors.New("no server answers")

// askServer returns the entries of the index that a running server sends.
func (p *program) askServer(ctx context.Context) (entries backup.Entries, closeAll func() error, err error) {
	resp, err := p.command(ctx, http.MethodGet, "/entries", nil)
	if err != nil {
		return nil, nil, err
	}
	return backup.Receive(resp.Body), resp.Body.Close, nil
}

// askToIndex has a running server index files.
func (p *program) askToIndex(ctx context.Context, coll string, files []string) (done taken, err error) {
	list, err := json.Marshal(files)
	if err != nil {
		return done, err
	}
	resp, err := p.command(ctx, http.MethodPost, "/index?"+url.Values{"collection": {coll}}.Encode(), bytes.NewReader(list))
	if err != nil {
		return done, err
	}
	defer resp.Body.Close()
	return done, json.NewDecoder(resp.Body).Decode(&done)
}

// command asks a running server on its socket. The caller closes the answer's body.
func (p *program) command(ctx context.Context, method, target string, body io.Reader) (*http.Response, error) {
	path, err := p.socketPath()
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
		var refused *net.OpError
		if errors.As(err, &refused) && refused.Op == "dial" && !strings.Contains(err.Error(), "permission denied") {
			return nil, errNoServer
		}
		return nil, fmt.Errorf("asking the server that has the index: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
		return nil, errors.Join(fmt.Errorf("the server answers %s: %s", resp.Status, bytes.TrimSpace(said)), resp.Body.Close())
	}
	return resp, nil
}
