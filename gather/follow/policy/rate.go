package policy

import (
	"math"
	"slices"
	"time"
)

const (
	// prior is how often a source is believed to publish before it is known; trust is how many events that belief is worth.
	prior = 24 * time.Hour
	trust = 0.5
	// shrink is how many events it takes until an hour, a day or an age counts for as much as the mean of all.
	shrink = 3
	// memory is how long what was seen counts: after that time by 1/e.
	memory = 45 * 24 * time.Hour
	// longestSeen is the longest stretch of time that is taken in at once.
	longestSeen = 60 * 24 * time.Hour
	// together is how close events are that count as one: those that one push of a button publishes.
	together = time.Minute
	ages     = 14
	reach    = 4 // hours to both sides of one that say something of it
)

// A Share is what was seen of one hour, day or age: events, and the seconds in which they could have been.
type Share struct {
	N float64 `json:"n"`
	T float64 `json:"t"`
}

// A Rate is how often a source publishes. The zero value knows nothing yet. It can be stored as JSON.
type Rate struct {
	Until time.Time   `json:"until"` // up to when it is known what was published
	Last  time.Time   `json:"last"`  // when something was, for all that is known
	All   Share       `json:"all"`
	Hours [24]Share   `json:"hours"` // of the day, UTC
	Days  [7]Share    `json:"days"`  // of the week, from Sunday
	Ages  [ages]Share `json:"ages"`  // since the last event: under two minutes, four, eight …
}

// Since begins to know a source at a time, if nothing is known of it before.
func (r *Rate) Since(at time.Time) {
	if r.Until.IsZero() {
		r.Until = at
	}
}

// Observe takes in what was published from where the last call ended until now. Times outside of that count as its ends.
func (r *Rate) Observe(now time.Time, events []time.Time) {
	r.Since(now)
	from := r.Until
	if now.Sub(from) > longestSeen {
		from = now.Add(-longestSeen)
	}
	if now.Before(from) {
		return
	}
	r.forget(now.Sub(r.Until))
	r.Until = now
	for _, e := range merged(events, from, now) {
		r.pass(from, e)
		r.count(e)
		from = e
	}
	r.pass(from, now)
}

// merged returns events in order, those that belong together as one, none outside of a stretch.
func merged(events []time.Time, from, until time.Time) (out []time.Time) {
	sorted := make([]time.Time, 0, len(events))
	for _, e := range events {
		if e.Before(from) {
			e = from
		}
		if e.After(until) {
			e = until
		}
		sorted = append(sorted, e)
	}
	slices.SortFunc(sorted, time.Time.Compare)
	for _, e := range sorted {
		if n := len(out); n == 0 || e.Sub(out[n-1]) >= together {
			out = append(out, e)
		}
	}
	return out
}

// forget makes what was seen count less after some time.
func (r *Rate) forget(passed time.Duration) {
	keep := math.Exp(-passed.Seconds() / memory.Seconds())
	for _, s := range r.shares() {
		s.N *= keep
		s.T *= keep
	}
}

func (r *Rate) shares() []*Share {
	all := []*Share{&r.All}
	for i := range r.Hours {
		all = append(all, &r.Hours[i])
	}
	for i := range r.Days {
		all = append(all, &r.Days[i])
	}
	for i := range r.Ages {
		all = append(all, &r.Ages[i])
	}
	return all
}

// pass says that nothing was published between two times.
func (r *Rate) pass(from, until time.Time) {
	for from.Before(until) {
		next := from.Truncate(time.Hour).Add(time.Hour)
		if !r.Last.IsZero() {
			if end := r.Last.Add(ageEnd(ageOf(from.Sub(r.Last)))); end.After(from) && end.Before(next) {
				next = end
			}
		}
		if next.After(until) {
			next = until
		}
		seconds := next.Sub(from).Seconds()
		r.All.T += seconds
		r.Hours[from.UTC().Hour()].T += seconds
		r.Days[from.UTC().Weekday()].T += seconds
		if !r.Last.IsZero() {
			r.Ages[ageOf(from.Sub(r.Last))].T += seconds * r.rhythm(from)
		}
		from = next
	}
}

// count says that something was published.
func (r *Rate) count(at time.Time) {
	r.All.N++
	r.Hours[at.UTC().Hour()].N++
	r.Days[at.UTC().Weekday()].N++
	if !r.Last.IsZero() && at.After(r.Last) {
		r.Ages[ageOf(at.Sub(r.Last))].N++
	}
	if at.After(r.Last) {
		r.Last = at
	}
}

// ageOf returns which age a time since the last event is.
func ageOf(passed time.Duration) int {
	minutes := passed.Minutes()
	if minutes < 2 {
		return 0
	}
	return min(int(math.Log2(minutes)), ages-1)
}

// ageEnd returns when an age ends.
func ageEnd(age int) time.Duration {
	if age == ages-1 {
		return math.MaxInt64 / 2
	}
	return time.Minute << (age + 1)
}

// mean returns events a second over all hours.
func (r *Rate) mean() float64 { return (r.All.N + trust) / (r.All.T + trust*prior.Seconds()) }

// factor returns how much more often than the mean something was published in a share of the time.
func (r *Rate) factor(s Share) float64 { return (s.N + shrink) / (r.mean()*s.T + shrink) }

// rhythm returns how an hour of a week differs from the mean.
func (r *Rate) rhythm(at time.Time) float64 {
	at = at.UTC()
	return r.hour(at.Hour()) * r.factor(r.Days[at.Weekday()])
}

// hour returns how an hour differs from the mean. It is seen together with those around it, the nearer the more.
func (r *Rate) hour(hour int) float64 {
	var around Share
	for d := -reach; d <= reach; d++ {
		s, weight := r.Hours[(hour+d+24)%24], 1-math.Abs(float64(d))/(reach+1)
		around.N += weight * s.N
		around.T += weight * s.T
	}
	return r.factor(around)
}

// At returns how many events a second are expected at a time, if none has been since the last that is known.
func (r *Rate) At(at time.Time) float64 {
	expected := r.mean() * r.rhythm(at)
	if !r.Last.IsZero() {
		expected *= r.factor(r.Ages[ageOf(at.Sub(r.Last))])
	}
	return expected
}

// PerDay returns how many events a day are expected, over all hours.
func (r *Rate) PerDay() float64 { return r.mean() * (24 * time.Hour).Seconds() }

// Need returns what a source asks for of the requests of a day: the share that makes the waiting of all sources shortest is the root of the
// rate, hour by hour, here over a week.
func (r *Rate) Need() float64 {
	var hours, days float64
	for h := range r.Hours {
		hours += math.Sqrt(r.hour(h))
	}
	for _, s := range r.Days {
		days += math.Sqrt(r.factor(s))
	}
	return math.Sqrt(r.mean()/2) * time.Hour.Seconds() * hours * days / 7
}
