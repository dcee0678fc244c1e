package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/varve-archive/varve/internal/sleep"
)

// maxBulk is the number of bytes written at a time. Engines refuse bodies of 100 MB; a few MB are fastest.
const maxBulk = 5 << 20

// A bulk collects operations that are written together. They set or delete whole documents by ID, so repeating them is harmless.
type bulk struct {
	index *Index
	lines [][]byte // one for each operation: the action line, and the document if it has one
	size  int
}

type bulkAction struct {
	ID      string `json:"_id"`
	Routing string `json:"routing"`
}

func (b *bulk) put(id, routing string, document any) error {
	body, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return b.add("index", bulkAction{id, routing}, body)
}

func (b *bulk) remove(id, routing string) error { return b.add("delete", bulkAction{id, routing}, nil) }

func (b *bulk) add(verb string, a bulkAction, body []byte) error {
	head, err := json.Marshal(map[string]bulkAction{verb: a})
	if err != nil {
		return err
	}
	line := append(head, '\n')
	if body != nil {
		line = append(append(line, body...), '\n')
	}
	b.lines = append(b.lines, line)
	b.size += len(line)
	return nil
}

// A bulkAnswer has the outcome of each operation.
type bulkAnswer struct {
	Errors bool
	Items  []map[string]struct {
		Status int
		Error  struct{ Type, Reason string }
	}
}

// flush writes the collected operations. Those that the engine refuses for now are written again, after longer and longer pauses.
func (b *bulk) flush(ctx context.Context) error {
	wait := b.index.cluster.wait
	for try := 1; len(b.lines) > 0; try++ {
		left, reason, err := b.send(ctx)
		if err != nil {
			return err
		}
		if b.lines = left; len(left) == 0 {
			break
		}
		if try >= maxTries {
			return fmt.Errorf("%w (it refuses what is written: %s)", ErrAway, reason)
		}
		if err := sleep.For(ctx, wait); err != nil {
			return err
		}
		wait *= 2
	}
	b.lines, b.size = nil, 0
	return nil
}

// maxPart bounds the operations that are sent at a time.
const maxPart = 2000

// send sends the operations, and returns those that have to be sent again.
func (b *bulk) send(ctx context.Context) (left [][]byte, reason string, err error) {
	for rest := b.lines; len(rest) > 0; {
		n, size := 0, 0
		for n < len(rest) && n < maxPart && (n == 0 || size+len(rest[n]) <= maxBulk) {
			size += len(rest[n])
			n++
		}
		var answer bulkAnswer
		body := bytes.Join(rest[:n], nil)
		if err := b.index.cluster.write(ctx, http.MethodPost, "/"+b.index.to+"/_bulk", body, &answer); err != nil {
			return nil, "", err
		}
		if len(answer.Items) != n {
			return nil, "", fmt.Errorf("search: the engine answers for %d of %d documents", len(answer.Items), n)
		}
		for i, item := range answer.Items {
			for verb, is := range item {
				switch {
				case is.Status < 300, verb == "delete" && is.Status == http.StatusNotFound:
				case mayRetry(is.Status):
					left, reason = append(left, rest[i]), is.Error.Reason
				default:
					return nil, "", fmt.Errorf("search: the engine does not take a document: %w",
						&statusError{is.Status, is.Error.Type + ": " + is.Error.Reason})
				}
			}
		}
		rest = rest[n:]
	}
	return left, reason, nil
}
