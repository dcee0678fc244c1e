package access

import (
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A Policy holds the current access rules. It is safe for concurrent use. New rules apply from the next question on, and invalidate what
// was cached under the old ones.
type Policy struct {
	Now func() time.Time // the clock that ends embargoes; nil is [time.Now]

	current atomic.Pointer[Rules]
	changes atomic.Uint64
}

// Put replaces the rules.
func (p *Policy) Put(r *Rules) {
	p.current.Store(r)
	p.changes.Add(1)
}

// Rules returns the current rules.
func (p *Policy) Rules() *Rules {
	if p != nil {
		if r := p.current.Load(); r != nil {
			return r
		}
	}
	return &Rules{}
}

// Frozen returns a policy with the present rules and a clock that stands still, so that everything built under it is of one day.
func (p *Policy) Frozen() *Policy {
	at := p.Time()
	f := &Policy{Now: func() time.Time { return at }}
	f.Put(p.Rules())
	return f
}

// Day returns the number of the day, on which decisions may depend; 0 if they don't depend on the clock.
func (p *Policy) Day() int64 {
	if !p.Rules().DependOnTime() {
		return 0
	}
	return p.today()
}

func (p *Policy) today() int64 { return p.Time().Unix() / secondsADay }

// Mark identifies what a search that is built now may show, by the rules and, if they depend on it, the day.
func (p *Policy) Mark() string {
	r := p.Rules()
	if !r.DependOnTime() {
		return r.Sum()
	}
	return r.Sum() + " " + strconv.FormatInt(p.today(), 10)
}

// Covers reports whether a search with this mark shows nothing that the rules exclude now. Such a search already leaves out what its rules
// would exclude within a time after its day ([Ahead]).
func (p *Policy) Covers(mark string) bool {
	r := p.Rules()
	sum, day, _ := strings.Cut(mark, " ")
	if sum != r.Sum() {
		return false
	}
	if !r.DependOnTime() {
		return true
	}
	built, err := strconv.ParseInt(day, 10, 64)
	return err == nil && p.Time().Before(time.Unix(built*secondsADay, 0).Add(Ahead))
}

const secondsADay = 24 * 60 * 60

// Ahead is how far some views look into the future. What is built from them is rebuilt each day, which takes some time.
const Ahead = 26 * time.Hour

// Open reports whether everybody may see everything.
func (p *Policy) Open() bool { return p.Rules().Empty() }

// Time returns the time by the policy's clock.
func (p *Policy) Time() time.Time {
	if p == nil || p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// Epoch changes whenever decisions may: with the rules, and each minute if they depend on the clock.
func (p *Policy) Epoch() uint64 {
	if p == nil {
		return 0
	}
	e := p.changes.Load() << 32
	if p.Rules().DependOnTime() {
		e += uint64(p.Time().Unix() / 60)
	}
	return e
}
