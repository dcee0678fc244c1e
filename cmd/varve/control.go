package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/varve-archive/varve/backup"
	"github.com/varve-archive/varve/cdx/index"
)

// A server has its index for itself, so it has to help commands that need the whole of it. It does so on a socket in a folder
// that only its user can open: a route of its HTTP server could be asked by any page that somebody visits on this
// machine.

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

// listenForCommands answers commands until what it returns is called.
func (p *program) listenForCommands(x *index.Index) (stop func()) {
	failed := func(err error) func() {
		p.log().Warn("varve backup won't work while this server runs", "error", err)
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
	server := &http.Server{Handler: commandsOn(x), ReadHeaderTimeout: readHeaderTimeout}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l)
	}()
	return func() {
		server.Close()
		<-done
		os.Remove(filepath.Dir(path))
	}
}

// commandsOn answers what commands ask a server with an index.
func commandsOn(x *index.Index) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /entries", func(w http.ResponseWriter, r *http.Request) {
		entries := func(put func(key, value []byte) error) error { return x.Dump(r.Context(), put) }
		if err := backup.Send(w, entries); err != nil {
			panic(http.ErrAbortHandler) // the stream has no end then, which says it
		}
	})
	return mux
}

// errNoServer says that no server answers commands.
var errNoServer = errors.New("no server answers")

// askServer returns the entries of the index that a running server sends.
func (p *program) askServer(ctx context.Context) (entries backup.Entries, closeAll func() error, err error) {
	path, err := p.socketPath()
	if err != nil {
		return nil, nil, err
	}
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		},
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://varve/entries", nil)
	if err != nil {
		return nil, nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		var refused *net.OpError
		if errors.As(err, &refused) && !strings.Contains(err.Error(), "permission denied") {
			return nil, nil, errNoServer
		}
		return nil, nil, fmt.Errorf("asking the server for its index: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, nil, errors.Join(fmt.Errorf("the server answers %s", resp.Status), resp.Body.Close())
	}
	return backup.Receive(resp.Body), resp.Body.Close, nil
}
