package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/varve-archive/varve/internal/sleep"
)

// maxBulk is the number of bytes written at a time. Engines refuse bodies of 100 MB; a few MB are fastest.
const maxBulk = 5 << 20

// An operation sets or deletes a whole document by its ID, so repeating it is harmless.
type operation struct {
	line []byte // the action, and the document if it has one
	of   *replacement
	last bool // of its page: the document that says that the others are there
}

// A replacement is what is written for one page.
type replacement struct {
	key      string
	hash     string // the ID of the page's document; those of its versions begin with it
	versions int    // of which there may be documents; known when the last operation is queued, as are gone and changes
	gone     bool   // the page is removed
	changes  int
	refused  error // why the engine does not take one of the documents; only the writer uses it
}

// operation returns an operation for the document of the page or for one of its versions. document is nil for a removal.
func (r *replacement) operation(verb, id string, document any) (operation, error) {
	line, err := json.Marshal(map[string]bulkAction{verb: {id, r.hash}})
	if err != nil {
		return operation{}, err
	}
	line = append(line, '\n')
	if document != nil {
		body, err := json.Marshal(document)
		if err != nil {
			return operation{}, err
		}
		line = append(append(line, body...), '\n')
	}
	return operation{line, r, id == r.hash}, nil
}

// version returns the ID of a version's document.
func (r *replacement) version(n int) string { return fmt.Sprintf("%s-%d", r.hash, n) }

// removals returns operations that remove all documents of the page.
func (r *replacement) removals() (out []operation, err error) {
	ids := []string{r.hash}
	for n := range r.versions {
		ids = append(ids, r.version(n))
	}
	for _, id := range ids {
		o, err := r.operation("delete", id, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

type bulkAction struct {
	ID      string `json:"_id"`
	Routing string `json:"routing"`
}

// A bulkAnswer has the outcome of each operation.
type bulkAnswer struct {
	Errors bool
	Items  []map[string]struct {
		Status int
		Error  struct{ Type, Reason string }
	}
}

// refusesDocument reports whether an engine refuses a document for what is in it. All other reasons concern every document.
func refusesDocument(status int, kind, reason string) bool {
	if status != http.StatusBadRequest {
		return false
	}
	switch kind {
	case "mapper_parsing_exception", "document_parsing_exception": // of OpenSearch and older Elasticsearch; of newer Elasticsearch
		return true
	case "illegal_argument_exception": // for a word of more than 32,766 bytes, but also for too many fields or documents
		return strings.HasPrefix(reason, "Document contains at least one immense term")
	}
	return false
}

// A bulk writes operations to an index.
type bulk struct{ index *Index }

// write writes the operations. The last ones of pages come behind all others, so that the document of a page says nothing that isn't there.
// A page of which the engine refuses a document is removed, and its replacement says why.
func (b bulk) write(ctx context.Context, all []operation) error {
	var first, last []operation
	for _, o := range all {
		if o.last {
			last = append(last, o)
		} else {
			first = append(first, o)
		}
	}
	if err := b.flush(ctx, first); err != nil {
		return err
	}
	fit := slices.DeleteFunc(slices.Clone(last), func(o operation) bool { return o.of.refused != nil })
	if err := b.flush(ctx, fit); err != nil {
		return err
	}
	for _, o := range last {
		if o.of.refused == nil {
			continue
		}
		removals, err := o.of.removals()
		if err := errors.Join(err, b.flush(ctx, removals)); err != nil {
			return err
		}
	}
	return nil
}

// flush writes operations. Those that the engine refuses for now are written again, after longer and longer pauses.
func (b bulk) flush(ctx context.Context, left []operation) error {
	wait := b.index.cluster.wait
	for try := 1; ; try++ {
		var reason string
		var err error
		if left, reason, err = b.sendAll(ctx, left); err != nil || len(left) == 0 {
			return err
		}
		if try >= maxTries {
			return fmt.Errorf("%w (it refuses what is written: %s)", ErrAway, reason)
		}
		if err := sleep.For(ctx, wait); err != nil {
			return err
		}
		wait *= 2
	}
}

// maxPart bounds the operations that are sent at a time.
const maxPart = 2000

// sendAll sends operations, and returns those that have to be sent again.
func (b bulk) sendAll(ctx context.Context, rest []operation) (left []operation, reason string, err error) {
	for len(rest) > 0 {
		n := 0
		var body []byte
		for n < len(rest) && n < maxPart && (n == 0 || len(body)+len(rest[n].line) <= maxBulk) {
			body = append(body, rest[n].line...)
			n++
		}
		var answer bulkAnswer
		if err := b.index.cluster.write(ctx, http.MethodPost, "/"+b.index.to+"/_bulk", body, &answer); err != nil {
			return nil, "", err
		}
		if len(answer.Items) != n {
			return nil, "", fmt.Errorf("search: the engine answers for %d of %d documents", len(answer.Items), n)
		}
		for i, item := range answer.Items {
			for verb, is := range item {
				no := &statusError{is.Status, is.Error.Type + ": " + is.Error.Reason}
				switch {
				case is.Status < 300, verb == "delete" && is.Status == http.StatusNotFound:
				case mayRetry(is.Status):
					left, reason = append(left, rest[i]), is.Error.Reason
				case refusesDocument(is.Status, is.Error.Type, is.Error.Reason):
					rest[i].of.refused = no
				default:
					return nil, "", fmt.Errorf("search: the engine does not take a document: %w", no)
				}
			}
		}
		rest = rest[n:]
	}
	return left, reason, nil
}
