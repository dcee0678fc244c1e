package opensearch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
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
	ctx, end, err := leasing{x}.lease(ctx)
	if err != nil {
		return err
	}
	defer end()
	p.Running.Store(true)
	defer p.Running.Store(false)
	for _, n := range []*atomic.Int64{&p.Done, &p.Indexed, &p.Changes, &p.Failed} {
		n.Store(0)
	}
	before, err := x.stateOf(ctx, x.alias, tries)
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
	u := &update{Index: x, archive: a, progress: p, log: log, before: before}
	if err := errors.Join(u.run(ctx), context.Cause(ctx)); err != nil {
		return err
	}
	if err := x.refresh(ctx); err != nil {
		return err
	}
	state := State{Archive: u.now, Rules: b.Rules, Pages: p.Pages.Load(), Moves: moves + u.moves.Load()}
	if p.Failed.Load() > 0 { // the next run tries them again
		state.Archive = before.Archive
		if u.exposed {
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

// An update is one run over the archive. One goroutine finds the work, several make documents, and one writes.
type update struct {
	*Index
	archive  search.Archive
	progress *search.Progress
	log      *slog.Logger
	before   State
	exposed  bool
	now      string
	moves    atomic.Int64  // pages that were written or removed
	written  chan [][]byte // operations of one page each
}

// A stalePage is a page to write or, if gone is set, to remove.
type stalePage struct {
	search.Page
	versions int // versions of it that the index has
	gone     bool
}

// pagesAhead is how many stale pages may be queued.
const pagesAhead = 1 << 12

func (u *update) run(ctx context.Context) error {
	u.written = make(chan [][]byte, 16)
	work := make(chan stalePage, pagesAhead)
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return u.write(gctx) })
	makers, mctx := errgroup.WithContext(gctx)
	makers.Go(func() error {
		defer close(work)
		return u.find(mctx, work)
	})
	for range search.Makers(u.Pace != nil) {
		makers.Go(func() error { return u.make(mctx, work) })
	}
	err := makers.Wait()
	close(u.written)
	return errors.Join(err, g.Wait())
}

// write writes the queued operations.
func (u *update) write(ctx context.Context) error {
	b := &bulk{index: u.Index}
	for lines := range u.written {
		for _, line := range lines {
			b.lines, b.size = append(b.lines, line), b.size+len(line)
		}
		if b.size >= maxBulk {
			if err := b.flush(ctx); err != nil {
				return err
			}
		}
	}
	return b.flush(ctx)
}

func (u *update) make(ctx context.Context, work <-chan stalePage) error {
	m, err := search.NewDocumentMaker()
	if err != nil {
		return err
	}
	for p := range work {
		began := time.Now()
		if err := u.page(ctx, m, p); err != nil {
			return err
		}
		if u.Pace != nil {
			if err := u.Pace(ctx, time.Since(began)); err != nil {
				return err
			}
		}
	}
	return nil
}

// hashOf returns the ID of a page's document. It is a hash because the engine bounds the length of IDs.
func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

func signatureOf(p search.Page) string { return strconv.FormatUint(p.Signature, 16) }

// page queues the operations for a page in parts, its document behind its versions: if the run ends between them, the next writes the page
// again.
func (u *update) page(ctx context.Context, m *search.DocumentMaker, p stalePage) error {
	b := &bulk{index: u.Index}
	queue := func() error {
		select {
		case u.written <- b.lines:
			b = &bulk{index: u.Index}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	begun := false
	queueLong := func(err error) error {
		if err != nil || b.size < maxBulk {
			return err
		}
		begun = true
		return queue()
	}
	hash := hashOf(p.Key)
	n, changes := 0, 0
	if !p.gone {
		doc, err := m.Make(ctx, u.archive, p.Page, func(v *search.VersionDocument) error {
			n++
			return queueLong(b.put(fmt.Sprintf("%s-%d", hash, n-1), hash, u.version(v)))
		})
		var unreadable *search.UnreadableError
		switch {
		case errors.As(err, &unreadable) && ctx.Err() == nil:
			u.progress.Fail(u.log, p.Key, unreadable)
			if !u.exposed && !begun {
				return nil
			}
			b, p.versions, n, p.gone = &bulk{index: u.Index}, max(n, p.versions), 0, true
		case err != nil:
			return err
		default:
			changes = doc.Changes
			if err := queueLong(b.put(hash, hash, pageOf(doc))); err != nil {
				return err
			}
		}
	}
	for i := n; i < p.versions; i++ {
		if err := queueLong(b.remove(fmt.Sprintf("%s-%d", hash, i), hash)); err != nil {
			return err
		}
	}
	if p.gone {
		if err := b.remove(hash, hash); err != nil {
			return err
		}
	} else {
		u.progress.Indexed.Add(1)
		u.progress.Changes.Add(int64(changes))
		u.progress.Done.Add(1)
	}
	u.moves.Add(1)
	return queue()
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
		"kind": kindVersion, "key": v.Key, "host": surt.HostOf(v.Key), "address": joined(search.AddressWords(v.Key)), "text": joined(v.Text),
		"older": joined(v.Older), "title": joined(search.Words(v.Title)), "fewer": v.Fewer, "first": v.Version.First, "last": v.Version.Last,
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
			words = append(words, joined(search.ValueWords(v)))
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

// find finds the pages with which the index is not up to date.
func (u *update) find(ctx context.Context, work chan<- stalePage) error {
	touched, err := u.archive.Touched(ctx, u.before.Archive)
	if err != nil {
		return err
	}
	u.now, u.exposed = touched.State, touched.Exposed
	send := func(p stalePage) error {
		select {
		case work <- p:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if touched.All {
		return u.all(ctx, send)
	}
	u.progress.Pages.Store(u.before.Pages)
	u.progress.Done.Store(u.before.Pages)
	for keys := touched.Keys; len(keys) > 0; {
		n := min(len(keys), manyKeys)
		if err := u.some(ctx, keys[:n], send); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// manyKeys is how many pages are looked up at a time.
const manyKeys = 500

// some finds the stale ones among keys.
func (u *update) some(ctx context.Context, keys []string, send func(stalePage) error) error {
	known, err := u.known(ctx, keys)
	if err != nil {
		return err
	}
	for _, key := range keys {
		page, ok, err := u.archive.Page(ctx, key)
		if err != nil {
			return err
		}
		page.Key = key
		have, had := known[key]
		if !ok && !had || ok && had && have.Signature == signatureOf(page) {
			continue
		}
		switch {
		case ok && had:
			u.progress.Done.Add(-1)
		case had:
			u.progress.Done.Add(-1)
			u.progress.Pages.Add(-1)
		case ok:
			u.progress.Pages.Add(1)
		}
		if err := send(stalePage{page, have.Versions, !ok}); err != nil {
			return err
		}
	}
	return nil
}

// known returns what the index has of some pages.
func (u *update) known(ctx context.Context, keys []string) (map[string]pageDocument, error) {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = hashOf(key)
	}
	out := map[string]pageDocument{}
	var answer hits[pageDocument]
	err := u.send(ctx, "POST", "/"+u.to+"/_search", object{
		"size": len(ids), "_source": []string{"key", "signature", "versions"}, "query": object{"ids": object{"values": ids}},
	}, &answer)
	for i := range answer.Hits.Hits {
		p := &answer.Hits.Hits[i].Source
		out[p.Key] = *p
	}
	return out, err
}

// all finds stale pages by walking over the pages of the archive and of the index side by side, both ordered by key.
func (u *update) all(ctx context.Context, send func(stalePage) error) error {
	u.progress.Pages.Store(0)
	next, stop := iter.Pull2(u.pages(ctx))
	defer stop()
	have, err, some := next()
	gone := func() error {
		err := send(stalePage{search.Page{Key: have.Key}, have.Versions, true})
		if err == nil {
			have, err, some = next()
		}
		return err
	}
	for page, failed := range u.archive.Pages(ctx) {
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		for some && have.Key < page.Key {
			if err = gone(); err != nil {
				return err
			}
		}
		u.progress.Pages.Add(1)
		versions := 0
		if some && have.Key == page.Key {
			same := have.Signature == signatureOf(page)
			versions = have.Versions
			if have, err, some = next(); err != nil {
				return err
			}
			if same {
				u.progress.Done.Add(1)
				continue
			}
		}
		if err := send(stalePage{page, versions, false}); err != nil {
			return err
		}
	}
	for err == nil && some {
		err = gone()
	}
	return err
}

// pages yields the pages of the index, ordered by key.
func (u *update) pages(ctx context.Context) iter.Seq2[pageDocument, error] {
	return func(yield func(pageDocument, error) bool) {
		question := object{
			"size": 2000, "_source": []string{"key", "signature", "versions"}, "query": object{"term": object{"kind": kindPage}},
			"sort": []object{{"key": "asc"}},
		}
		for {
			var answer hits[pageDocument]
			if err := u.send(ctx, "POST", "/"+u.to+"/_search", question, &answer); err != nil {
				yield(pageDocument{}, err)
				return
			}
			for i := range answer.Hits.Hits {
				if !yield(answer.Hits.Hits[i].Source, nil) {
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
