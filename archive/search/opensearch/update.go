package opensearch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/query"
	"github.com/varve-archive/varve/cdx/surt"
)

// A Build says how an index is brought up to date.
type Build struct {
	Anew  bool   // build a new index beside the current one, and replace that at the end
	Rules string // the mark of the access rules for the archive
	Unfit string // a mark that fits no rules
	// Same reports whether a mark belongs to the same rules.
	Same func(mark string) bool
}

// Update brings the index up to date with the archive, as [search.Index.Update] does. The error is [ErrLeased] if another process is
// doing that.
func (x *Index) Update(ctx context.Context, a search.Archive, b Build, p *search.Progress, log *slog.Logger) error {
	x.updating.Lock()
	defer x.updating.Unlock()
	outer := ctx
	ctx, end, err := leasing{x}.lease(ctx)
	if err != nil {
		return err
	}
	defer end()
	defer p.Begin()()
	before, err := x.stateOf(ctx, x.alias, maxTries)
	if err != nil {
		return err
	}
	anew := b.Anew || !before.built // there is none, or one of another format
	if err := x.open(ctx, anew); err != nil {
		return err
	}
	if before.built && !b.Same(before.Rules) { // the current index may have what these rules exclude
		unfit := before
		unfit.Rules, unfit.Archive = b.Unfit, ""
		if err := x.markUnfit(ctx, unfit); err != nil {
			return err
		}
		before.Archive = ""
	}
	moves := before.Moves
	if anew {
		before, moves = State{}, moves+1
	}
	if err := x.refresh(ctx); err != nil {
		return err
	}
	u := &update{Index: x, archive: a, progress: p, log: log}
	touched, err := u.run(ctx, before)
	switch {
	case ctx.Err() != nil && outer.Err() == nil: // the lease is lost
		return context.Cause(ctx)
	case err != nil || ctx.Err() != nil:
		return cmp.Or(err, ctx.Err())
	}
	if err := x.refresh(ctx); err != nil {
		return err
	}
	state := State{Archive: touched.State, Rules: b.Rules, Pages: p.Pages.Load(), Moves: moves + u.moves.Load()}
	if p.Failed.Load() > 0 { // the next run tries them again
		state.Archive = before.Archive
		if touched.Exposed {
			state.Archive = ""
		}
	}
	if err := x.putState(ctx, state); err != nil {
		return err
	}
	return x.show(ctx)
}

// markUnfit writes a state to the index that answers now.
func (x *Index) markUnfit(ctx context.Context, s State) error {
	now, err := x.physical(ctx)
	if err != nil || now == "" {
		return err
	}
	was := x.to
	x.to = now
	defer func() { x.to = was }()
	return x.putState(ctx, s)
}

// Lacks reports whether the archive has, or may have, changes that the index lacks.
func (x *Index) Lacks(ctx context.Context, a search.Archive) (bool, error) {
	s, err := x.State(ctx)
	if err != nil {
		return false, err
	}
	t, err := a.Touched(ctx, s.Archive)
	return t.All || len(t.Keys) > 0, err
}

// An update is one run over the archive. Several goroutines make documents, and one writes. It implements [search.Target].
type update struct {
	*Index
	archive  search.Archive
	progress *search.Progress
	log      *slog.Logger
	makers   sync.Pool        // of *search.DocumentMaker
	moves    atomic.Int64     // pages that were written or removed
	written  chan []operation // of one page each
}

func (u *update) run(ctx context.Context, before State) (search.Touched, error) {
	u.written = make(chan []operation, 16)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return u.write(gctx) })
	of := search.Updater{Archive: u.archive, Target: u, State: before.Archive, Pages: before.Pages, Progress: u.progress, Pace: u.Pace}
	touched, err := of.Run(gctx)
	close(u.written)
	return touched, cmp.Or(g.Wait(), err) // if writing fails, it stops the rest
}

// maxRefused is how many pages an engine may refuse before it takes one. An engine that refuses more takes none.
const maxRefused = 20

// write writes the queued operations, and counts the pages that are written or refused.
func (u *update) write(ctx context.Context) error {
	to := bulk{u.Index}
	var all []operation
	size, taken, refused := 0, 0, 0
	flush := func() error {
		if err := to.write(ctx, all); err != nil {
			return err
		}
		for _, o := range all {
			switch of := o.of; {
			case !o.last || of.gone: // a page that can't be read is gone too, and counted already
			case of.refused == nil:
				taken++
				u.progress.Indexed.Add(1)
				u.progress.Changes.Add(int64(of.changes))
				u.progress.Done.Add(1)
			default:
				u.progress.Fail(u.log, of.key, of.refused)
				if refused++; taken == 0 && refused > maxRefused {
					return fmt.Errorf("search: the engine takes no page: %w", of.refused)
				}
			}
		}
		all, size = nil, 0
		return nil
	}
	for ops := range u.written {
		for _, o := range ops {
			all, size = append(all, o), size+len(o.line)
		}
		if size >= maxBulk {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// hashOf returns the ID of a page's document. It is a hash because the engine bounds the length of IDs.
func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

func signatureOf(p search.Page) string { return strconv.FormatUint(p.Signature, 16) }

// Replace queues the operations for a page in parts, its document behind its versions: if the run ends between them, the next writes the
// page again.
func (u *update) Replace(ctx context.Context, p search.StalePage, _ *search.Step) error {
	m, _ := u.makers.Get().(*search.DocumentMaker)
	if m == nil {
		var err error
		if m, err = search.NewDocumentMaker(); err != nil {
			return err
		}
	}
	defer u.makers.Put(m)
	of := &replacement{key: p.Key, hash: hashOf(p.Key), gone: p.Gone}
	var ops []operation
	size, begun, n := 0, false, 0
	add := func(verb, id string, document any) error {
		o, err := of.operation(verb, id, document)
		if err != nil {
			return err
		}
		if ops, size = append(ops, o), size+len(o.line); size < maxBulk {
			return nil
		}
		err = u.queue(ctx, ops)
		ops, size, begun = nil, 0, true
		return err
	}
	var document any
	if !p.Gone {
		doc, err := m.Make(ctx, u.archive, p.Page, func(v *search.VersionDocument) error {
			n++
			return add("index", of.version(n-1), u.version(v))
		})
		var unreadable *search.UnreadableError
		switch {
		case errors.As(err, &unreadable) && ctx.Err() == nil:
			u.progress.Fail(u.log, p.Key, unreadable.Cause)
			if !p.Exposed && !begun {
				return nil
			}
			ops, size, p.Held.Versions, n, of.gone = nil, 0, max(n, p.Held.Versions), 0, true
		case err != nil:
			return err
		default:
			document, of.changes = pageOf(doc), doc.Changes
		}
	}
	of.versions = max(n, p.Held.Versions)
	for i := n; i < p.Held.Versions; i++ {
		if err := add("delete", of.version(i), nil); err != nil {
			return err
		}
	}
	verb := "index"
	if of.gone {
		verb = "delete"
	}
	if err := add(verb, of.hash, document); err != nil {
		return err
	}
	u.moves.Add(1)
	return u.queue(ctx, ops)
}

// queue hands operations to the writer.
func (u *update) queue(ctx context.Context, ops []operation) error {
	select {
	case u.written <- ops:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// An unindexed is the part of a page's document that is stored but not indexed.
type unindexed struct {
	Heading   map[string]int `json:"heading,omitempty"`
	Furniture map[string]int `json:"furniture,omitempty"`
}

type pageDocument struct {
	Kind         string     `json:"kind"`
	Key          string     `json:"key"`
	Signature    string     `json:"signature"`
	Versions     int        `json:"versions"`
	History      [][]byte   `json:"history,omitempty"`
	Beside       *unindexed `json:"beside,omitempty"`
	Words        []string   `json:"words,omitempty"`
	AddressWords []string   `json:"addresswords,omitempty"`
	TitleWords   []string   `json:"titlewords,omitempty"`
	Titles       []string   `json:"titles,omitempty"`
	Links        []string   `json:"links,omitempty"`
	Anchors      []string   `json:"anchors,omitempty"`
}

func pageOf(d *search.PageDocument) *pageDocument {
	return &pageDocument{
		Kind: kindPage, Key: d.Key, Signature: signatureOf(d.Page), Versions: d.Versions, History: d.Parts,
		Beside: &unindexed{d.Heading, d.Furniture}, Words: d.Words, AddressWords: d.Address, TitleWords: d.TitleWords,
		Titles: d.Titles, Links: d.Links, Anchors: d.Anchors,
	}
}

func (u *update) version(v *search.VersionDocument) object {
	out := object{
		"kind": kindVersion, "key": v.Key, "host": surt.HostOf(v.Key), "address": spaced(query.AddressWords(v.Key)), "text": spaced(v.Text),
		"older": spaced(v.Older), "title": spaced(search.Words(v.Title)), "fewer": v.Fewer, "first": v.Version.First, "last": v.Version.Last,
		"until": v.Until, "after": v.After, "year": v.After.String()[:4], "years": yearsOf(v), "length": v.Words, "status": v.Status,
		"mime": v.MIME, "lang": v.Lang, "shown": !v.Missing && !v.Soft404, "edit": v.Edit, "gone": v.Gone, "came": v.Came,
		"before": v.Before, "size": v.Change.Deleted + v.Change.Added, "titled": v.Title, "oldertitled": v.OlderTitle,
	}
	if v.Edit {
		out["cut"], out["cuttimes"] = counted(v.Cut)
		out["put"], out["puttimes"] = counted(v.Put)
	}
	if named := u.named(v.Version.Fields); len(named) > 0 {
		out["named"] = named
	}
	return out
}

// counted returns the words, and the same with their counts appended.
func counted(words map[string]int) (plain, times []string) {
	for w, n := range words {
		plain, times = append(plain, w), append(times, w+"|"+strconv.Itoa(n))
	}
	return plain, times
}

func yearsOf(v *search.VersionDocument) (out []string) {
	for y := v.Version.First.Year(); y <= v.Version.Last.Year(); y++ {
		out = append(out, fmt.Sprintf("%04d", y))
	}
	return out
}

// named returns the template values of a version, by field.
func (u *update) named(packed string) object {
	out := object{}
	for name, list := range fields.Unpack(packed) {
		column, ok := u.Fields().Column(name)
		if !ok || len(list) == 0 {
			continue
		}
		var words []string
		var numbers []float64
		for _, v := range list {
			words = append(words, spaced(query.AddressWords(v)))
			if n, ok := column.Type.Order(v); ok {
				numbers = append(numbers, n)
			}
		}
		of := object{"words": words, "value": list[0]}
		if column.Type.Ordered() && len(numbers) > 0 {
			of["number"] = numbers
		}
		out[name] = of
	}
	return out
}

// heldFields are the fields of a page's document that say what the index has of the page.
func heldFields() []string { return []string{"key", "signature", "versions"} }

// held returns what a document says that the index has.
func (d *pageDocument) held() search.Held {
	signature, err := strconv.ParseUint(d.Signature, 16, 64)
	return search.Held{Key: d.Key, Complete: err == nil, Signature: signature, Versions: d.Versions}
}

// Held implements [search.Target].
func (u *update) Held(ctx context.Context, keys []string) (map[string]search.Held, error) {
	out := map[string]search.Held{}
	var answer hits[pageDocument]
	err := u.send(ctx, "POST", "/"+u.to+"/_search", object{
		"size": len(keys), "_source": heldFields(), "query": pagesWith(keys...),
	}, &answer)
	for i := range answer.Hits.Hits {
		p := &answer.Hits.Hits[i].Source
		out[p.Key] = p.held()
	}
	return out, err
}

// AllHeld implements [search.Target].
func (u *update) AllHeld(ctx context.Context) iter.Seq2[search.Held, error] {
	return func(yield func(search.Held, error) bool) {
		question := object{
			"size": 2000, "_source": heldFields(), "query": term("kind", kindPage), "sort": []object{{"key": "asc"}},
		}
		for {
			var answer hits[pageDocument]
			if err := u.send(ctx, "POST", "/"+u.to+"/_search", question, &answer); err != nil {
				yield(search.Held{}, err)
				return
			}
			for i := range answer.Hits.Hits {
				if !yield(answer.Hits.Hits[i].Source.held(), nil) {
					return
				}
			}
			if len(answer.Hits.Hits) == 0 {
				return
			}
			question["search_after"] = []string{answer.Hits.Hits[len(answer.Hits.Hits)-1].Source.Key}
		}
	}
}
