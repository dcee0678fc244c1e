package policy

import (
	"math"
	"time"
)

// A Rule says how the time of the next request is chosen.
type Rule string

const (
	Adaptive Rule = "adaptive" // where waiting costs most
	Halving  Rule = "halving"  // the step is halved when something new came, and grows by two minutes when not
	Fixed    Rule = "fixed"
)

// Bounds of the interval between two requests.
const (
	Least  = time.Minute
	Most   = 24 * time.Hour
	growth = 120 * time.Second
)

// NextInterval returns the interval after a request, given the one before it.
func NextInterval(step time.Duration, isNew bool) time.Duration {
	if isNew {
		return max(step/2, Least)
	}
	return min(step+growth, Most)
}

// An Allowance is the number of requests a day that all sources share. Requests above or below it are balanced within about a day.
type Allowance struct {
	PerDay float64   `json:"per_day"`
	Credit float64   `json:"credit"` // requests that were not spent
	At     time.Time `json:"at"`
	needs  map[string]float64
	total  float64
}

// Spend records a request.
func (a *Allowance) Spend(now time.Time) {
	a.pass(now)
	a.Credit--
}

// pass adds the credit for the time that has passed, up to half a day.
func (a *Allowance) pass(now time.Time) {
	if !a.At.IsZero() && now.After(a.At) {
		a.Credit += a.PerDay * now.Sub(a.At).Hours() / 24
	}
	if a.At.IsZero() || now.After(a.At) {
		a.At = now
	}
	a.Credit = max(min(a.Credit, a.PerDay/2), -a.PerDay/2)
}

// Needs records the need of a source ([Rate.Need]).
func (a *Allowance) Needs(source string, need float64) {
	if a.needs == nil {
		a.needs = map[string]float64{}
	}
	a.total += need - a.needs[source]
	a.needs[source] = need
}

// Worth returns the waiting time, in seconds summed over all events, that justifies one request.
func (a *Allowance) Worth(now time.Time) float64 {
	a.pass(now)
	day := max(a.PerDay+2*a.Credit, a.PerDay/10, 1e-9)
	root := a.total / day
	return root * root
}

// Next returns when to poll a source again that was polled now: when the events expected until then will have waited worth seconds
// altogether.
func (r *Rate) Next(now time.Time, worth float64, least, most time.Duration) time.Time {
	var events, waited float64
	for passed := time.Duration(0); passed < most; {
		step := stepAt(passed)
		rate := r.At(now.Add(passed + step/2))
		seconds := step.Seconds()
		more := events*seconds + rate*seconds*seconds/2
		if waited+more >= worth {
			within := solve(rate/2, events, waited-worth)
			return now.Add(min(max(passed+time.Duration(within*float64(time.Second)), least), most))
		}
		waited += more
		events += rate * seconds
		passed += step
	}
	return now.Add(most)
}

// stepAt returns the length of the step in which the rate is taken as constant.
func stepAt(passed time.Duration) time.Duration {
	switch {
	case passed < 16*time.Minute:
		return time.Minute
	case passed < 3*time.Hour:
		return 4 * time.Minute
	}
	return 15 * time.Minute
}

// solve returns the positive root of a·x² + b·x + c with c < 0.
func solve(a, b, c float64) float64 {
	if a <= 0 {
		return -c / max(b, 1e-12)
	}
	return (-b + math.Sqrt(b*b-4*a*c)) / (2 * a)
}
