package policy

import (
	"math"
	"slices"
	"time"
)

const (
	// priorInterval is the assumed interval between two events of an unknown source; priorWeight is the weight of that assumption, in events.
	priorInterval = 24 * time.Hour
	priorWeight   = 0.5
	// shrinkCount is the number of events from which on an hour, a day or an age counts for as much as the overall mean.
	shrinkCount = 3
	// memoryTime is the time after which the weight of an observation falls to 1/e.
	memoryTime = 45 * 24 * time.Hour
	// maxObserved is the longest period that is observed at once.
	maxObserved = 60 * 24 * time.Hour
	// sameEvent is the distance within which events count as one, since they were published in one go.
	sameEvent      = time.Minute
	ageClasses     = 14
	neighbourHours = 4 // neighbouring hours, on each side, that count for an hour
)

// A Share is what was observed in one hour, day or age: events, and the seconds of observation.
type Share struct {
	N float64 `json:"n"`
	T float64 `json:"t"`
}

// A Rate is how often a source publishes. Its zero value knows nothing. It can be stored as JSON.
type Rate struct {
	Until time.Time         `json:"until"` // up to when it is known what was published
	Last  time.Time         `json:"last"`  // when something was, for all that is known
	All   Share             `json:"all"`
	Hours [24]Share         `json:"hours"` // of the day, UTC
	Days  [7]Share          `json:"days"`  // of the week, from Sunday
	Ages  [ageClasses]Share `json:"ages"`  // since the last event: under two minutes, four, eight …
}

// Since sets the start of the observation, if it isn't set.
func (r *Rate) Since(at time.Time) {
	if r.Until.IsZero() {
		r.Until = at
	}
}

// Observe records the events between the end of the last call and now. Events outside of that period are moved to its ends.
func (r *Rate) Observe(now time.Time, events []time.Time) {
	r.Since(now)
	from := r.Until
	if now.Sub(from) > maxObserved {
		from = now.Add(-maxObserved)
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

// merged returns events in order, with close ones merged and times clamped to a period.
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
		if n := len(out); n == 0 || e.Sub(out[n-1]) >= sameEvent {
			out = append(out, e)
		}
	}
	return out
}

// forget reduces the weight of the observations by the time that passed.
func (r *Rate) forget(passed time.Duration) {
	keep := math.Exp(-passed.Seconds() / memoryTime.Seconds())
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

// pass records that nothing was published between two times.
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

// ageOf returns the age class of a time since the last event.
func ageOf(passed time.Duration) int {
	minutes := passed.Minutes()
	if minutes < 2 {
		return 0
	}
	return min(int(math.Log2(minutes)), ageClasses-1)
}

func ageEnd(age int) time.Duration {
	if age == ageClasses-1 {
		return math.MaxInt64 / 2
	}
	return time.Minute << (age + 1)
}

// mean returns the mean rate, in events per second.
func (r *Rate) mean() float64 {
	return (r.All.N + priorWeight) / (r.All.T + priorWeight*priorInterval.Seconds())
}

// factor returns the rate within a share, relative to the mean.
func (r *Rate) factor(s Share) float64 { return (s.N + shrinkCount) / (r.mean()*s.T + shrinkCount) }

// rhythm returns the rate at an hour of the week, relative to the mean.
func (r *Rate) rhythm(at time.Time) float64 {
	at = at.UTC()
	return r.hour(at.Hour()) * r.factor(r.Days[at.Weekday()])
}

// hour returns the rate at an hour of the day, relative to the mean. Neighbouring hours count with less weight.
func (r *Rate) hour(hour int) float64 {
	var around Share
	for d := -neighbourHours; d <= neighbourHours; d++ {
		s, weight := r.Hours[(hour+d+24)%24], 1-math.Abs(float64(d))/(neighbourHours+1)
		around.N += weight * s.N
		around.T += weight * s.T
	}
	return r.factor(around)
}

// At returns the expected events per second at a time, if there were none since the last known one.
func (r *Rate) At(at time.Time) float64 {
	expected := r.mean() * r.rhythm(at)
	if !r.Last.IsZero() {
		expected *= r.factor(r.Ages[ageOf(at.Sub(r.Last))])
	}
	return expected
}

// PerDay returns the mean number of events per day.
func (r *Rate) PerDay() float64 { return r.mean() * (24 * time.Hour).Seconds() }

// Need returns the source's share of the daily requests. The total waiting time of all events is shortest if requests are
// distributed by the square root of the rate; Need sums it hour by hour over a week.
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
