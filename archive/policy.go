package archive

import (
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/varve-archive/varve/archive/access"
)

// A Policy holds the access rules in force. It is safe for concurrent use; new rules hold from the next question on,
// and whatever was cached under the old ones is forgotten.
type Policy struct {
	Now func() time.Time // the clock that ends embargoes; nil is [time.Now]

	current atomic.Pointer[access.Rules]
	changes atomic.Uint64
}

// Put puts rules into force.
func (p *Policy) Put(r *access.Rules) {
	p.current.Store(r)
	p.changes.Add(1)
}

// rules returns those in force.
func (p *Policy) rules() *access.Rules {
	if p != nil {
		if r := p.current.Load(); r != nil {
			return r
		}
	}
	return &access.Rules{}
}

// frozen returns a policy with the rules that are in force now, which stay, and a clock that stands still: all that is built under
// it is of one day.
func (p *Policy) frozen() *Policy {
	at := p.now()
	f := &Policy{Now: func() time.Time { return at }}
	f.Put(p.rules())
	return f
}

// day numbers the days on which decisions may differ, 0 if they don't depend on the clock.
func (p *Policy) day() int64 {
	if !p.rules().Clocks() {
		return 0
	}
	return p.today()
}

func (p *Policy) today() int64 { return p.now().Unix() / secondsADay }

// mark tells apart what a search may show that is built from now on, by the rules and, if they depend on it, the day.
func (p *Policy) mark() string {
	r := p.rules()
	if !r.Clocks() {
		return r.Sum()
	}
	return r.Sum() + " " + strconv.FormatInt(p.today(), 10)
}

// fits reports whether a search with a mark shows nothing now that the rules exclude. What it leaves out is what they exclude
// within a time from its day on ([ahead]).
func (p *Policy) fits(mark string) bool {
	r := p.rules()
	sum, day, _ := strings.Cut(mark, " ")
	if sum != r.Sum() {
		return false
	}
	if !r.Clocks() {
		return true
	}
	built, err := strconv.ParseInt(day, 10, 64)
	return err == nil && p.now().Before(time.Unix(built*secondsADay, 0).Add(ahead))
}

const secondsADay = 24 * 60 * 60

// open reports whether everybody may see everything.
func (p *Policy) open() bool { return p.rules().Empty() }

// now is the time by the policy's clock.
func (p *Policy) now() time.Time {
	if p == nil || p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// epoch differs whenever decisions may differ: it moves with the rules, and each minute if they depend on the clock.
func (p *Policy) epoch() uint64 {
	if p == nil {
		return 0
	}
	e := p.changes.Load() << 32
	if p.rules().Clocks() {
		e += uint64(p.now().Unix() / 60)
	}
	return e
}
