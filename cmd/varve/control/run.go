package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// An Order is a command that a server runs for another process.
type Order struct {
	Command    string          `json:"command"`
	Collection string          `json:"collection"`
	Flags      json.RawMessage `json:"flags"` // the command's own, as the process read them
}

// said is a part of what a command says, and what comes last: how it ended.
type said struct {
	Out  []byte `json:"out,omitempty"`
	Err  []byte `json:"err,omitempty"`
	Exit *int   `json:"exit,omitempty"`
}

// run runs a command and sends what it says as it says it, a line of JSON each.
func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	var order Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&order); err != nil {
		http.Error(w, "want a command", http.StatusBadRequest)
		return
	}
	var mu sync.Mutex
	lines := json.NewEncoder(w)
	send := func(part said) error {
		mu.Lock()
		defer mu.Unlock()
		err := lines.Encode(part)
		return errors.Join(err, http.NewResponseController(w).Flush())
	}
	out := bufio.NewWriterSize(writer(func(p []byte) error { return send(said{Out: p}) }), 32<<10)
	exit := s.Run(r.Context(), order, out, writer(func(p []byte) error { return errors.Join(out.Flush(), send(said{Err: p})) }))
	_ = errors.Join(out.Flush(), send(said{Exit: &exit})) // who doesn't hear the end says so
}

// A writer calls a function for what is written.
type writer func([]byte) error

func (w writer) Write(p []byte) (int, error) {
	if err := w(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Run has the server run a command, and returns its exit code.
func (c Client) Run(ctx context.Context, order Order, stdout, stderr io.Writer) (exit int, err error) {
	body, err := json.Marshal(order)
	if err != nil {
		return 0, err
	}
	resp, err := c.do(ctx, http.MethodPost, "/run", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	for parts := json.NewDecoder(resp.Body); ; {
		var part said
		if err := parts.Decode(&part); err != nil {
			return 0, fmt.Errorf("the server that has the index broke off: %w", err)
		}
		if _, err := stdout.Write(part.Out); err != nil {
			return 0, err
		}
		if _, err := stderr.Write(part.Err); err != nil {
			return 0, err
		}
		if part.Exit != nil {
			return *part.Exit, nil
		}
	}
}
