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
	Flags      json.RawMessage `json:"flags"` // of the command, as the process parsed them
}

// outputPart is a part of a command's output or, as the last one, its exit code.
type outputPart struct {
	Out  []byte `json:"out,omitempty"`
	Err  []byte `json:"err,omitempty"`
	Exit *int   `json:"exit,omitempty"`
}

// run runs a command and streams its output as lines of JSON.
func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	var order Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&order); err != nil {
		http.Error(w, "want a command", http.StatusBadRequest)
		return
	}
	var mu sync.Mutex
	lines := json.NewEncoder(w)
	send := func(part outputPart) error {
		mu.Lock()
		defer mu.Unlock()
		err := lines.Encode(part)
		return errors.Join(err, http.NewResponseController(w).Flush())
	}
	out := bufio.NewWriterSize(writer(func(p []byte) error { return send(outputPart{Out: p}) }), 32<<10)
	exit := s.Run(r.Context(), order, out, writer(func(p []byte) error { return errors.Join(out.Flush(), send(outputPart{Err: p})) }))
	_ = errors.Join(out.Flush(), send(outputPart{Exit: &exit})) // a client that misses the end reports it
}

// A writer is a function as an [io.Writer].
type writer func([]byte) error

func (w writer) Write(p []byte) (int, error) {
	if err := w(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Run lets the server run a command, and returns its exit code.
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
		var part outputPart
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
