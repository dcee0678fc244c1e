package opensearch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/fields"
)

// An Index is the search of one collection for one group of readers. It is safe for concurrent use; updates of one process run one at a
// time.
type Index struct {
	cluster *Cluster
	alias   string // is queried
	to      string // is written to; only a running update uses it
	fields  atomic.Pointer[fields.Set]
	by      string

	// Pace is called after each small step of an update with the time that the step took, and returns when the next may begin. nil doesn't
	// pause. Set it before the first update.
	Pace func(ctx context.Context, took time.Duration) error

	updating sync.Mutex
}

// Index returns the search of a collection in the archive with this identity. by names the feeding process in its lease.
func (c *Cluster) Index(archive, collection, group, by string) *Index {
	sum := sha256.Sum256([]byte(archive + "\x00" + collection + "\x00" + group))
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(collection))
	return &Index{cluster: c, alias: "varve-" + plain[:min(len(plain), 40)] + "-" + hex.EncodeToString(sum[:8]), by: by}
}

// Name returns the alias of the index in the engine.
func (x *Index) Name() string { return x.alias }

// SetFields says which templates read the fields of pages; nil for none.
func (x *Index) SetFields(s *fields.Set) { x.fields.Store(s) }

// Fields returns the templates.
func (x *Index) Fields() *fields.Set { return x.fields.Load() }

// Columns returns the fields of the templates.
func (x *Index) Columns() []fields.Column { return x.Fields().Columns() }

// Close does nothing: the index stays in the engine.
func (x *Index) Close() error { return nil }

// A State says what an index was last brought up to date with.
type State struct {
	Kind    string `json:"kind"`
	Archive string `json:"archive"` // the state of the archive, see [search.Touched]
	Rules   string `json:"rules"`   // the mark of the access rules that it was built under
	Pages   int64  `json:"pages"`
	Format  int    `json:"format"`
	Moves   int64  `json:"moves"` // number of pages written or removed so far
	built   bool
}

const stateID = "@state"

// found is the answer to a request for one document.
type found struct {
	Found       bool            `json:"found"`
	SeqNo       int64           `json:"_seq_no"`
	PrimaryTerm int64           `json:"_primary_term"`
	Source      json.RawMessage `json:"_source"`
}

// State returns the state of the index. It is zero if the index was never built, or has another format.
func (x *Index) State(ctx context.Context) (s State, err error) {
	return x.stateOf(ctx, x.alias, len(x.cluster.nodes))
}

func (x *Index) stateOf(ctx context.Context, name string, n int) (s State, err error) {
	var doc found
	err = x.cluster.try(ctx, n, http.MethodGet, "/"+name+"/_doc/"+stateID, nil, &doc)
	if hasStatus(err, http.StatusNotFound) {
		return State{}, nil
	}
	if err != nil || !doc.Found {
		return State{}, err
	}
	if err := json.Unmarshal(doc.Source, &s); err != nil || s.Format != format {
		return State{}, err
	}
	s.built = true
	return s, nil
}

// Mark returns a text that differs whenever the index has changed, "" if it was never built.
func (s *State) Mark() string {
	if !s.built {
		return ""
	}
	return strconv.FormatInt(s.Moves, 10) + " " + s.Rules
}

func (x *Index) putState(ctx context.Context, s State) error {
	s.Kind, s.Format = kindState, format
	return x.send(ctx, http.MethodPut, "/"+x.to+"/_doc/"+stateID, s, nil)
}

// send writes a value as JSON.
func (x *Index) send(ctx context.Context, method, path string, body, out any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	return x.cluster.write(ctx, method, path, text, out)
}

// physical returns the name of the index behind the alias, "" if there is none.
func (x *Index) physical(ctx context.Context) (string, error) {
	var of map[string]json.RawMessage
	err := x.cluster.write(ctx, http.MethodGet, "/_alias/"+x.alias, nil, &of)
	if hasStatus(err, http.StatusNotFound) {
		return "", nil
	}
	newest := ""
	for name := range of {
		newest = max(newest, name)
	}
	return newest, err
}

// open sets x.to to the index to write to. With anew that is a new, empty index beside the one behind the alias.
func (x *Index) open(ctx context.Context, anew bool) error {
	now, err := x.physical(ctx)
	if err != nil {
		return err
	}
	if now != "" && !anew {
		x.to = now
		return x.send(ctx, http.MethodPut, "/"+now+"/_mapping", object{"properties": properties(x.Fields())}, nil)
	}
	number, _ := strconv.Atoi(now[strings.LastIndexByte(now, '-')+1:]) // 0 if there is none
	x.to = fmt.Sprintf("%s-%06d", x.alias, number+1)
	if err := x.drop(ctx, x.to); err != nil { // left by a build that was killed
		return err
	}
	body := object{"settings": settings(), "mappings": object{"dynamic": "strict", "properties": properties(x.Fields())}}
	if now == "" {
		body["aliases"] = object{x.alias: object{}}
	}
	err = x.send(ctx, http.MethodPut, "/"+x.to, body, nil)
	if answer, ok := errors.AsType[*statusError](err); ok &&
		strings.HasPrefix(answer.reason, "resource_already_exists") { // by an unanswered attempt
		return nil
	}
	return err
}

// show points the alias to the index that was written, atomically, and removes the old index.
func (x *Index) show(ctx context.Context) error {
	now, err := x.physical(ctx)
	if err != nil || now == x.to {
		return err
	}
	actions := []object{{"add": object{"index": x.to, "alias": x.alias}}}
	if now != "" {
		actions = append(actions, object{"remove": object{"index": now, "alias": x.alias}})
	}
	if err := x.send(ctx, http.MethodPost, "/_aliases", object{"actions": actions}, nil); err != nil || now == "" {
		return err
	}
	return x.drop(ctx, now)
}

func (x *Index) drop(ctx context.Context, name string) error {
	err := x.cluster.write(ctx, http.MethodDelete, "/"+name, nil, nil)
	if hasStatus(err, http.StatusNotFound) {
		return nil
	}
	return err
}

// refresh makes what was written visible to queries.
func (x *Index) refresh(ctx context.Context) error {
	return x.cluster.write(ctx, http.MethodPost, "/"+x.to+"/_refresh", nil, nil)
}

// Size returns the size of the index in bytes, with its replicas.
func (x *Index) Size(ctx context.Context) (int64, error) {
	var out struct {
		All struct {
			Total struct {
				Store struct {
					Size int64 `json:"size_in_bytes"`
				}
			}
		} `json:"_all"`
	}
	err := x.cluster.try(ctx, 1, http.MethodGet, "/"+x.alias+"/_stats/store", nil, &out)
	if hasStatus(err, http.StatusNotFound) {
		return 0, nil
	}
	return out.All.Total.Store.Size, err
}
