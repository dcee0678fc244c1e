package policy_test

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/demo"
	"github.com/varve-archive/varve/gather/follow/policy"
)

// A trace is what some sources publish, each in order, from start on for so many days.
type trace struct {
	name    string
	sources [][]time.Time
	before  [][]time.Time // what sources had published when they were asked first and still show
	days    int
	rate    func(source int, at time.Time) float64 // events a second, as they were made; nil if that isn't known
	round   time.Duration                          // the shortest time between two requests to a source; 0 for the policy's own
	first   time.Duration                          // the step to begin with
	most    int                                    // events that a request shows at most, the newest; 0 is no limit
}

var start = time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC) // a Monday

// An outcome is what a policy made of a trace.
type outcome struct {
	requests  int
	missed    int           // events that a request did not show any more
	mean, p95 time.Duration // from published to asked
	useful    float64       // share of the requests that found something
}

// poll is a request to come.
type poll struct {
	at     time.Time
	source int
}

type polls []poll

func (p polls) Len() int           { return len(p) }
func (p polls) Less(i, j int) bool { return p[i].at.Before(p[j].at) }
func (p polls) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *polls) Push(x any)        { *p = append(*p, x.(poll)) }
func (p *polls) Pop() any          { old := *p; x := old[len(old)-1]; *p = old[:len(old)-1]; return x }

// decide says when a source is asked again, after a request that found what was published since the one before.
type decide func(source int, now time.Time, found []time.Time) time.Time

// replay asks the sources of a trace on a virtual clock.
func replay(t trace, next decide) outcome {
	end := start.AddDate(0, 0, t.days)
	var queue polls
	for i := range t.sources {
		heap.Push(&queue, poll{start.Add(t.first * time.Duration(i) / time.Duration(len(t.sources))), i})
	}
	seen := make([]int, len(t.sources))
	var lags []time.Duration
	var out outcome
	for queue.Len() > 0 {
		p := heap.Pop(&queue).(poll)
		if p.at.After(end) {
			break
		}
		list := t.sources[p.source]
		from := seen[p.source]
		for seen[p.source] < len(list) && !list[seen[p.source]].After(p.at) {
			lags = append(lags, p.at.Sub(list[seen[p.source]]))
			seen[p.source]++
		}
		found := list[from:seen[p.source]]
		out.requests++
		if t.most > 0 {
			out.missed += max(len(found)-t.most, 0)
		}
		if len(found) > 0 {
			out.useful++
		}
		at := next(p.source, p.at, found)
		if least := p.at.Add(t.round); at.Before(least) {
			at = least
		}
		heap.Push(&queue, poll{at, p.source})
	}
	for i, list := range t.sources { // what nobody has seen waits until the end
		for _, e := range list[seen[i]:] {
			if e.Before(end) {
				lags = append(lags, end.Sub(e))
			}
		}
	}
	out.useful /= float64(max(out.requests, 1))
	out.mean, out.p95 = summed(lags)
	return out
}

// halving is the rule by that name; bounded says that steps stay between a minute and a day.
func halving(t trace, bounded bool) outcome { return replay(t, halvingNext(t, bounded)) }

func halvingNext(t trace, bounded bool) decide {
	steps := make([]time.Duration, len(t.sources))
	return func(i int, now time.Time, found []time.Time) time.Time {
		if steps[i] == 0 {
			steps[i] = t.first
		}
		if bounded {
			steps[i] = policy.NextInterval(steps[i], len(found) > 0)
		} else if len(found) > 0 {
			steps[i] /= 2
		} else {
			steps[i] += 120 * time.Second
		}
		return now.Add(max(steps[i], time.Second))
	}
}

func fixed(t trace, requests int) outcome {
	every := time.Duration(float64(t.days*24) * float64(time.Hour) * float64(len(t.sources)) / float64(requests))
	return replay(t, func(_ int, now time.Time, _ []time.Time) time.Time { return now.Add(every) })
}

func adaptive(t trace, requests int) outcome { return replay(t, adaptiveNext(t, requests)) }

func adaptiveNext(t trace, requests int) decide {
	allowed := &policy.Allowance{PerDay: float64(requests) / float64(t.days)}
	rates := make([]policy.Rate, len(t.sources))
	for i := range rates {
		allowed.Needs(fmt.Sprint(i), rates[i].Need())
	}
	return func(i int, now time.Time, found []time.Time) time.Time {
		r := &rates[i]
		if t.before != nil && r.Until.IsZero() {
			if b := t.before[i]; len(b) > 0 {
				r.Since(b[0])
			}
			found = append(slices.Clone(t.before[i]), found...)
		}
		r.Since(start)
		r.Observe(now, found)
		allowed.Spend(now)
		allowed.Needs(fmt.Sprint(i), r.Need())
		return r.Next(now, allowed.Worth(now), max(policy.Least, t.round), policy.Most)
	}
}

// oracle knows what will be published, and asks once it is: what comes within a minute, or a round, is found by one request. With fewer
// requests than that, those are left out after which the next comes soonest.
func oracle(t trace, requests int) outcome {
	type visit struct {
		source int
		events []time.Time
		wait   time.Duration // until the next of the source
	}
	var all []*visit
	for i, list := range t.sources {
		var last *visit
		for _, e := range list {
			if last != nil && e.Sub(last.events[0]) < max(time.Minute, t.round) {
				last.events = append(last.events, e)
				continue
			}
			if last != nil {
				last.wait = e.Sub(last.events[0])
			}
			last = &visit{i, []time.Time{e}, math.MaxInt64}
			all = append(all, last)
		}
	}
	cheap := slices.Clone(all)
	slices.SortStableFunc(cheap, func(a, b *visit) int { return cmp.Compare(a.wait, b.wait) })
	left := map[*visit]bool{}
	for _, v := range cheap[:max(len(all)-requests, 0)] {
		left[v] = v.wait < math.MaxInt64
	}
	var asked time.Time
	var lags []time.Duration
	out := outcome{useful: 1}
	for _, v := range slices.Backward(all) {
		if !left[v] {
			asked = v.events[len(v.events)-1]
			out.requests++
		}
		for _, e := range v.events {
			lags = append(lags, asked.Sub(e))
		}
	}
	out.mean, out.p95 = summed(lags)
	return out
}

// summed returns the mean of lags, and what 95 of 100 are within.
func summed(lags []time.Duration) (mean, p95 time.Duration) {
	if len(lags) == 0 {
		return 0, 0
	}
	slices.Sort(lags)
	var sum float64
	for _, l := range lags {
		sum += l.Seconds()
	}
	return time.Duration(sum / float64(len(lags)) * float64(time.Second)).Round(time.Second), lags[len(lags)*95/100].Round(time.Second)
}

// rhythm is how much more is published at an hour than in the mean: nights are quiet, and weekends.
func rhythm(at time.Time, zone int) float64 {
	local := at.Add(time.Duration(zone) * time.Hour)
	f := 1 + 0.95*math.Sin(2*math.Pi*float64(local.Hour()*60+local.Minute()-9*60)/1440)
	if d := local.Weekday(); d == time.Saturday || d == time.Sunday {
		f *= 0.4
	}
	return max(f, 0.02)
}

// shown is how many entries a feed shows.
const shown = 15

// blogs are sources that publish from many times a day to once in weeks, in their rhythm, some by a timer, some silent for a time, some in
// bursts, if there are to be any.
func blogs(name string, n, days int, seed uint64, inBursts bool) trace {
	rnd := rand.New(rand.NewPCG(seed, 1))
	t := trace{name: name, days: days, first: time.Hour}
	rates := make([]func(time.Time) float64, n)
	if !inBursts {
		t.rate = func(i int, at time.Time) float64 { return rates[i](at) }
	}
	for i := range n {
		perDay := min(math.Exp(rnd.NormFloat64()*1.3-0.7), 12) // half of them less than once in two days
		zone := []int{-6, -5, 0, 1, 1, 2, 8, 9}[rnd.IntN(8)]
		bursts, silent, timed := i%4 == 1 && inBursts, i%5 == 2, i%4 == 3
		isSilent := func(at time.Time) bool { return silent && (int(at.Sub(start).Hours()/24)+60)%28 < 10 }
		rates[i] = func(at time.Time) float64 {
			if isSilent(at) {
				return 0
			}
			return perDay * rhythm(at, zone) / 86400
		}
		var list []time.Time
		for m := -60 * 1440; m < days*1440; m++ {
			at := start.Add(time.Duration(m) * time.Minute)
			if rnd.Float64() >= rates[i](at)*60 {
				continue
			}
			if timed { // a program publishes, on the hour or the half
				at = at.Truncate(30 * time.Minute).Add(time.Duration(rnd.IntN(60)) * time.Second)
			}
			list = append(list, at)
			for bursts && rnd.Float64() < 0.7 {
				at = at.Add(time.Duration(2+rnd.ExpFloat64()*12) * time.Minute)
				list = append(list, at)
			}
		}
		slices.SortFunc(list, time.Time.Compare)
		n, _ := slices.BinarySearchFunc(list, start, time.Time.Compare)
		t.before = append(t.before, list[max(0, n-shown):n])
		t.sources = append(t.sources, list[n:])
	}
	return t
}

// providers are four pages of last-updated sites over 27 days, with as many changes as were counted there once, at most so many shown, and
// asked in rounds of 83 seconds at best, 60 of them a pause. Only the sums are known: when changes came is made up, in the rhythm of a day
// and a week.
func providers() []trace {
	var out []trace
	for i, p := range []struct{ changes, most int }{{814_457, 231}, {77_650, 110}, {76_088, 247}, {5_180, 100}} {
		rnd := rand.New(rand.NewPCG(uint64(i), 2))
		t := trace{name: fmt.Sprintf("provider %d", i+1), days: 27, round: 83 * time.Second, first: 83 * time.Second, most: p.most}
		minutes := t.days * 1440
		var list []time.Time
		for m := range minutes {
			at := start.Add(time.Duration(m) * time.Minute)
			expected := float64(p.changes) / float64(minutes) * rhythm(at, 0) / 0.83
			for range poisson(rnd, expected) {
				list = append(list, at.Add(time.Duration(rnd.IntN(60))*time.Second))
			}
		}
		slices.SortFunc(list, time.Time.Compare)
		t.sources = [][]time.Time{list}
		out = append(out, t)
	}
	return out
}

// poisson returns how many events there are where so many are expected.
func poisson(rnd *rand.Rand, mean float64) (n int) {
	for waited := rnd.ExpFloat64(); waited < mean; waited += rnd.ExpFloat64() {
		n++
	}
	return n
}

// informed knows how often each source will publish at each moment, and not when: nothing that learns rates can be better for long. What
// a request is worth is tried until as many are made.
func informed(t trace, requests int) (out outcome) {
	least, most := 1.0, 1e9
	for range 24 {
		worth := math.Sqrt(least * most)
		out = replay(t, func(i int, now time.Time, _ []time.Time) time.Time {
			var events, waited float64
			passed := time.Duration(0)
			for ; passed < policy.Most && waited < worth; passed += time.Minute {
				rate := t.rate(i, now.Add(passed))
				waited += events*60 + rate*1800
				events += rate * 60
			}
			return now.Add(max(passed, policy.Least))
		})
		if out.requests > requests {
			least = worth
		} else {
			most = worth
		}
	}
	return out
}

// demoArchive is when the pages of the sample archive changed, moved so that the first did at the start. The times are those of captures:
// an archive knows no others.
func demoArchive(t testing.TB) trace {
	t.Helper()
	paths, err := demo.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	digests, times := map[string]string{}, map[string][]time.Time{}
	var first, last time.Time
	for _, path := range paths {
		f, err := warc.Local{}.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range warc.Scan(t.Context(), f, path, 0) {
			if err != nil {
				t.Fatal(err)
			}
			digest, at := rec.Header.Get("WARC-Payload-Digest"), rec.Date.Time()
			if rec.Type != "response" || digest == digests[rec.TargetURI] {
				continue
			}
			digests[rec.TargetURI], times[rec.TargetURI] = digest, append(times[rec.TargetURI], at)
			if first.IsZero() || at.Before(first) {
				first = at
			}
			if at.After(last) {
				last = at
			}
		}
		_ = f.Close()
	}
	week := 7 * 24 * time.Hour
	move := start.Sub(first).Truncate(week)
	out := trace{name: "sample archive", days: int(last.Sub(first).Hours()/24) + 8, first: time.Hour}
	for _, uri := range slices.Sorted(maps.Keys(times)) {
		list := times[uri]
		slices.SortFunc(list, time.Time.Compare)
		for i := range list {
			list[i] = list[i].Add(move)
		}
		out.sources = append(out.sources, list)
	}
	return out
}

// traces are all that policies are tried on.
func traces(t testing.TB) []trace {
	return append([]trace{blogs("blogs", 100, 56, 7, true), blogs("blogs, no bursts", 100, 56, 8, false), demoArchive(t)}, providers()...)
}

// Ours finds what is new sooner than halving, with as many requests: by a sixth at least where sources differ, and never
// later where they don't.
func TestAdaptiveIsBetterThanHalving(t *testing.T) {
	t.Parallel()
	for _, tr := range append([]trace{blogs("blogs", 60, 42, 3, true)}, providers()...) {
		rule := halving(tr, true)
		ours := adaptive(tr, rule.requests)
		if most := rule.requests + rule.requests/50; ours.requests > most {
			t.Errorf("%s: %d requests, at most %d", tr.name, ours.requests, most)
		}
		want := 1.07
		if len(tr.sources) > 50 {
			want = 0.85
		}
		if got := ours.mean.Seconds() / rule.mean.Seconds(); got > want {
			t.Errorf("%s: %s after %s, %.2f of the time, want %.2f", tr.name, ours.mean, rule.mean, got, want)
		}
	}
}

// BenchmarkPolicies replays traces on a virtual clock: how long what is published waits, for how many requests.
func BenchmarkPolicies(b *testing.B) {
	for _, tr := range traces(b) {
		rule := halving(tr, true)
		for _, p := range []struct {
			name string
			run  func() outcome
		}{
			{"halving", func() outcome { return halving(tr, true) }},
			{"halving-unbounded", func() outcome { return halving(tr, false) }},
			{"fixed", func() outcome { return fixed(tr, rule.requests) }},
			{"adaptive", func() outcome { return adaptive(tr, rule.requests) }},
			{"knows-rates", func() outcome { return informed(tr, rule.requests) }},
			{"oracle", func() outcome { return oracle(tr, rule.requests) }},
		} {
			if p.name == "knows-rates" && tr.rate == nil {
				continue
			}
			b.Run(strings.ReplaceAll(tr.name, " ", "-")+"/"+p.name, func(b *testing.B) {
				var out outcome
				for range b.N {
					out = p.run()
				}
				b.ReportMetric(float64(out.requests), "requests")
				b.ReportMetric(float64(out.missed), "missed")
				b.ReportMetric(out.mean.Seconds(), "mean-lag-s")
				b.ReportMetric(out.p95.Seconds(), "p95-lag-s")
				b.ReportMetric(100*out.useful, "%useful")
				b.ReportMetric(out.mean.Seconds()/max(rule.mean.Seconds(), 1), "x-lag-of-halving")
			})
		}
	}
}
