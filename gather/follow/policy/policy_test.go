package policy_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/follow/policy"
)

func TestHalve(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		step  time.Duration
		isNew bool
		want  time.Duration
	}{
		{time.Hour, true, 30 * time.Minute},
		{time.Hour, false, 62 * time.Minute},
		{90 * time.Second, true, time.Minute},
		{24 * time.Hour, false, 24 * time.Hour},
	} {
		if got := policy.NextInterval(tt.step, tt.isNew); got != tt.want {
			t.Errorf("%s, %t: %s", tt.step, tt.isNew, got)
		}
	}
}

// weeks returns a rate that has seen n weeks with an event at an hour of each of some days.
func weeks(n, hour int, days ...time.Weekday) *policy.Rate {
	r := &policy.Rate{}
	r.Since(start)
	for d := range 7 * n {
		day := start.AddDate(0, 0, d)
		var events []time.Time
		if slices.Contains(days, day.Weekday()) {
			events = append(events, day.Add(time.Duration(hour)*time.Hour+20*time.Minute))
		}
		r.Observe(day.AddDate(0, 0, 1), events)
	}
	return r
}

// A rate learns hours and days, and how often in all.
func TestRhythm(t *testing.T) {
	t.Parallel()
	r := weeks(8, 9, time.Monday, time.Tuesday, time.Wednesday)
	if got := r.PerDay(); math.Abs(got-3.0/7) > 0.1 {
		t.Errorf("%.2f a day", got)
	}
	monday := start.AddDate(0, 0, 56)
	at := func(days, hours int) float64 {
		return r.At(monday.AddDate(0, 0, days).Add(time.Duration(hours) * time.Hour))
	}
	if at(0, 9) < 3*at(0, 21) || at(0, 9) < 1.5*at(5, 9) {
		t.Errorf("Monday at 9 %.2g, at 21 %.2g, Saturday at 9 %.2g", at(0, 9), at(0, 21), at(5, 9))
	}
	ask := r.Next(monday.Add(-2*time.Hour), 3600, policy.Least, policy.Most)
	if h := ask.UTC().Hour(); h < 6 || h > 14 {
		t.Errorf("asked at %s", ask)
	}
}

// An hour counts for its neighbours, the nearer the more, and for none that are more than four hours away.
func TestNeighbouringHours(t *testing.T) {
	t.Parallel()
	const hour, reach = 9, 4
	r, day := weeks(8, hour, time.Monday), start.AddDate(0, 0, 77) // long after the last event, whose age then is the same all day
	at := func(h int) float64 { return r.At(day.Add(time.Duration((h+24)%24) * time.Hour)) }
	for d := 1; d <= 12; d++ {
		for _, h := range []int{hour - d, hour + d} {
			if nearer := at(hour + d - 1); d <= reach+1 && at(h) >= nearer || d > reach+1 && at(h) != nearer {
				t.Errorf("%d hours away: %g, an hour nearer %g", d, at(h), nearer)
			}
		}
	}
}

// Where events come in bursts the next is expected soon after one.
func TestBursts(t *testing.T) {
	t.Parallel()
	r := &policy.Rate{}
	r.Since(start)
	for d := range 40 {
		day := start.AddDate(0, 0, d)
		first := day.Add(time.Duration(d*7%24) * time.Hour)
		r.Observe(day.AddDate(0, 0, 1), []time.Time{first, first.Add(6 * time.Minute), first.Add(13 * time.Minute)})
	}
	last := r.Last
	if soon, late := r.At(last.Add(6*time.Minute)), r.At(last.Add(5*time.Hour)); soon < 10*late {
		t.Errorf("%.2g after minutes, %.2g after hours", soon, late)
	}
}

// A source that falls silent is asked less and less; what is published at once is one event; times from elsewhere harm nothing.
func TestOddHistories(t *testing.T) {
	t.Parallel()
	r := weeks(4, 9, time.Monday, time.Friday)
	before := r.PerDay()
	for d := range 120 {
		r.Observe(start.AddDate(0, 0, 28+d), nil)
	}
	if after := r.PerDay(); after > before/4 {
		t.Errorf("%.2f a day, before %.2f", after, before)
	}
	var together, odd policy.Rate
	together.Since(start)
	events := make([]time.Time, 500)
	for i := range events {
		events[i] = start.Add(time.Hour + time.Duration(i)*time.Millisecond)
	}
	together.Observe(start.Add(24*time.Hour), events)
	if together.All.N > 1.01 {
		t.Errorf("%f events", together.All.N)
	}
	odd.Since(start)
	odd.Observe(start.Add(time.Hour), []time.Time{{}, start.AddDate(100, 0, 0), start.AddDate(-100, 0, 0)})
	odd.Observe(start.Add(-time.Hour), []time.Time{start})
	odd.Observe(start.AddDate(50, 0, 0), nil)
	next := odd.Next(start.AddDate(50, 0, 0), math.NaN(), policy.Least, policy.Most)
	if next.Before(start.AddDate(50, 0, 0)) || math.IsNaN(odd.PerDay()) || math.IsNaN(odd.Need()) {
		t.Errorf("%s, %f", next, odd.PerDay())
	}
}

// What is stored is as good as what was seen.
func TestRatesAreStored(t *testing.T) {
	t.Parallel()
	r := weeks(6, 15, time.Thursday)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again policy.Rate
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if again.Need() != r.Need() || !again.Next(r.Until, 1000, policy.Least, policy.Most).Equal(r.Next(r.Until, 1000, policy.Least,
		policy.Most)) {
		t.Errorf("%s", text)
	}
}

// An allowance is spent where it is worth most, and what was spent too fast is saved.
func TestAllowance(t *testing.T) {
	t.Parallel()
	a := &policy.Allowance{PerDay: 100}
	busy, quiet := weeks(4, 9, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday), weeks(4, 9)
	a.Needs("busy", busy.Need())
	a.Needs("quiet", quiet.Need())
	now := start.AddDate(0, 0, 28)
	worth := a.Worth(now)
	if soon, late := busy.Next(now, worth, policy.Least, policy.Most), quiet.Next(now, worth, policy.Least, policy.Most); !soon.Before(late) {
		t.Errorf("busy %s, quiet %s", soon, late)
	}
	for range 50 {
		a.Spend(now)
	}
	if more := a.Worth(now); more <= worth {
		t.Errorf("worth %f, before %f", more, worth)
	}
	a.Needs("busy", busy.Need()) // again, which is no more
	for h := range 72 {
		a.Worth(now.Add(time.Duration(h) * time.Hour))
	}
	if got := a.Worth(now.AddDate(0, 0, 3)); got >= worth {
		t.Errorf("after three days without a request %f, before %f", got, worth)
	}
}

// What is not spent is saved for half a day, and no more than half a day is spent in advance.
func TestAllowanceSavesHalfADay(t *testing.T) {
	t.Parallel()
	a := &policy.Allowance{PerDay: 100}
	for _, tt := range []struct {
		after time.Duration
		spent int
		want  float64
	}{
		{0, 10, -10},
		{12 * time.Hour, 0, 40},
		{13 * time.Hour, 1, 43.16666},
		{240 * time.Hour, 1, 49},
		{240 * time.Hour, 500, -50},
		{230 * time.Hour, 0, -50},
	} {
		for range tt.spent {
			a.Spend(start.Add(tt.after))
		}
		if a.Worth(start.Add(tt.after)); math.Abs(a.Credit-tt.want) > 0.001 {
			t.Errorf("after %s, %d spent: %f, want %f", tt.after, tt.spent, a.Credit, tt.want)
		}
	}
}

// Clocks of sources may be ahead: what they say of the future happened now, and what they say of before the last look then.
func TestEventsAreWithinWhatWasSeen(t *testing.T) {
	t.Parallel()
	var r policy.Rate
	r.Observe(start, nil)
	now := start.Add(2 * time.Hour)
	r.Observe(now, []time.Time{now.AddDate(1, 0, 0), start.AddDate(-1, 0, 0)})
	if !r.Last.Equal(now) || !r.Until.Equal(now) || math.Abs(r.All.N-2) > 0.01 || math.Abs(r.All.T-7200) > 20 {
		t.Errorf("last %s, until %s, %+v", r.Last, r.Until, r.All)
	}
	later := now.Add(time.Hour)
	for gap, want := range map[time.Duration]float64{59 * time.Second: 1, time.Minute: 2} { // together, they are one
		both := r
		both.Observe(later, []time.Time{later.Add(-gap), later})
		if got := both.All.N - r.All.N; math.Abs(got-want) > 0.01 {
			t.Errorf("%s apart: %f events", gap, got)
		}
	}
}
