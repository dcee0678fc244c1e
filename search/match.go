package search

import (
	"context"
	"fmt"
	"math"

	"github.com/varve-archive/varve/cdx"
)

// A Kind says how the count of a text differs between a version and the next.
type Kind uint8

// The kinds.
const (
	Deleted     Kind = iota // in the older version only
	SemiDeleted             // in both, less often in the newer
	Added                   // in the newer version only, or there is no older one
)

var kindNames = [...]string{"deleted", "semi-deleted", "added"}

// String returns the name of the kind in URLs and JSON.
func (k Kind) String() string { return kindNames[k] }

// ParseKind reads the name of a kind; "" is deleted.
func ParseKind(s string) (Kind, error) {
	if s == "" {
		return Deleted, nil
	}
	for i, name := range kindNames {
		if s == name {
			return Kind(i), nil
		}
	}
	return 0, fmt.Errorf("change %.20q: want deleted, semi-deleted or added", s)
}

// Texts reads the words of versions, for questions about a phrase that the index alone can't answer.
type Texts interface {
	// Words returns the words of the version of a page that a capture at ts shows, none if it has no text.
	Words(ctx context.Context, key string, ts cdx.Timestamp) ([]string, error)
}

// A matcher walks over the changes that deleted or added one phrase.
type matcher struct {
	walker
	// times returns how often the current change deleted or added the phrase; 0 means that it did not.
	times  func(ctx context.Context, doc uint64, c *Change) (int, error)
	df     uint64   // number of such changes, estimated
	weight float64  // by rarity
	more   []walker // further walkers to close
}

func (m *matcher) closeAll() {
	m.close()
	for _, w := range m.more {
		w.close()
	}
}

// matcher returns a matcher for the changes of a kind of a phrase.
func (r reader) matcher(p Phrase, k Kind, texts Texts) (*matcher, error) {
	if len(p) == 1 {
		return r.termMatcher(p[0], k)
	}
	if len(p) > contextWords+1 {
		return r.longMatcher(p, k, texts)
	}
	return r.phraseMatcher(p, k, texts)
}

func (r reader) termMatcher(w string, k Kind) (*matcher, error) {
	t, err := r.posting(k.String(), term(w), false)
	if err != nil {
		return nil, err
	}
	return &matcher{walker: t, df: t.r.Count(), times: func(context.Context, uint64, *Change) (int, error) {
		return int(t.doc.Freq), nil
	}}, nil
}

// phraseMatcher compares the counts of the phrase in the windows of both sides. Their difference is that of the whole
// texts. If a word or a pair of words of the phrase is gone altogether, none of it remains; else the text is read.
func (r reader) phraseMatcher(p Phrase, k Kind, texts Texts) (*matcher, error) {
	from, to := fieldOlder, fieldNewer
	if k == Added {
		from, to = to, from
	}
	fromRun, err := r.run(from, p)
	if err != nil {
		return nil, err
	}
	m := &matcher{walker: fromRun, df: rarest(fromRun)}
	toRun, err := r.run(to, p)
	if err != nil {
		m.closeAll()
		return nil, err
	}
	m.more = append(m.more, toRun)
	signs, err := r.witnesses(p, k)
	if err != nil {
		m.closeAll()
		return nil, err
	}
	m.more = append(m.more, signs...)
	m.times = func(ctx context.Context, doc uint64, c *Change) (int, error) {
		n := fromRun.countHere()
		left, err := toRun.count(doc)
		if err != nil || left >= n {
			return 0, err
		}
		remaining := left > 0
		if !remaining {
			gone, err := anyHas(signs, doc)
			if err != nil {
				return 0, err
			}
			switch {
			case gone || c.empty(k):
			case len(p) == 2: // else its pair of words would be among the witnesses
				remaining = true
			default:
				if remaining, err = remains(ctx, texts, c, k, p); err != nil {
					return 0, err
				}
			}
		}
		if remaining != (k == SemiDeleted) {
			return 0, nil
		}
		return n - left, nil
	}
	return m, nil
}

// rarest returns the number of changes with the rarest word of a run.
func rarest(r *run) uint64 { return r.order[0].(*posting).r.Count() }

// witnesses are the words and pairs of words of a phrase. If one of them is gone altogether (or new), so is the
// phrase.
func (r reader) witnesses(p Phrase, k Kind) ([]walker, error) {
	f := fieldDeleted
	if k == Added {
		f = fieldAdded
	}
	var out []walker
	add := func(t string) error {
		w, err := r.posting(f, t, false)
		if err == nil {
			out = append(out, w)
		}
		return err
	}
	for i, w := range p {
		err := add(term(w))
		if err == nil && i > 0 {
			err = add(term(p[i-1]) + " " + term(w))
		}
		if err != nil {
			anyOf(out).close()
			return nil, err
		}
	}
	return out, nil
}

func anyHas(postings []walker, doc uint64) (bool, error) {
	for _, w := range postings {
		if ok, err := w.(*posting).has(doc); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// empty reports whether the version that must not have the phrase has no text at all.
func (c *Change) empty(k Kind) bool {
	if k == Added {
		return c.NoTextBefore
	}
	return c.NoTextAfter
}

// remains reads the version that must not have the phrase, and reports whether it has it.
func remains(ctx context.Context, texts Texts, c *Change, k Kind, p Phrase) (bool, error) {
	at := c.After
	if k == Added {
		at = c.Before
	}
	words, err := texts.Words(ctx, c.Key, at)
	return p.Count(words) > 0, err
}

// longMatcher finds changes that touched a part of the phrase, and reads both texts.
func (r reader) longMatcher(p Phrase, k Kind, texts Texts) (*matcher, error) {
	from := fieldOlder
	if k == Added {
		from = fieldNewer
	}
	parts, err := r.parts(from, p)
	if err != nil {
		return nil, err
	}
	m := &matcher{walker: parts, df: math.MaxUint64}
	for _, part := range parts {
		m.df = min(m.df, rarest(part.(*run)))
	}
	m.times = func(ctx context.Context, _ uint64, c *Change) (int, error) {
		var n [2]int
		for i, ts := range []cdx.Timestamp{c.Before, c.After} {
			if ts == 0 {
				continue
			}
			words, err := texts.Words(ctx, c.Key, ts)
			if err != nil {
				return 0, err
			}
			n[i] = p.Count(words)
		}
		return times(k, n[0], n[1]), nil
	}
	return m, nil
}

// times returns how often a change of kind k deleted or added a text, given its counts before and after. It is 0 if
// the change is of another kind.
func times(k Kind, before, after int) int {
	switch {
	case k == Deleted && after == 0:
		return before
	case k == SemiDeleted && after > 0 && before > after:
		return before - after
	case k == Added && before == 0:
		return after
	}
	return 0
}
