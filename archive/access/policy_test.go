package access_test

import (
	"slices"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/access"
)

// What was built under a policy fits until the rules change or, if they depend on the clock, for a day and a little more.
func TestPolicy(t *testing.T) {
	open, block := read(t, "rules: []"), read(t, "rules: [{url: http://a.example/, access: block}]")
	embargo := read(t, "rules: [{url: http://a.example/, access: block, embargo: {newer: 1 year}}]")
	day := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name          string
		before, after *access.Rules
		later         time.Duration
		fits, epoch   bool // what was built fits; the epoch is the same
	}{
		{"the same rules", block, block, 0, true, false},
		{"the same, much later", block, nil, 1000 * time.Hour, true, true},
		{"no rules any more", block, open, 0, false, false},
		{"rules for the first time", open, block, 0, false, false},
		{"an embargo, within the minute", embargo, nil, 59 * time.Second, true, true},
		{"an embargo, a minute later", embargo, nil, time.Minute, true, false},
		{"an embargo, before what was foreseen ends", embargo, nil, access.Ahead - time.Second, true, false},
		{"an embargo, then", embargo, nil, access.Ahead, false, false},
	} {
		now := day
		p := &access.Policy{Now: func() time.Time { return now }}
		p.Put(tt.before)
		mark, epoch, frozen := p.Mark(), p.Epoch(), p.Frozen()
		now = now.Add(tt.later)
		if tt.after != nil {
			p.Put(tt.after)
		}
		if p.Covers(mark) != tt.fits || (p.Epoch() == epoch) != tt.epoch {
			t.Errorf("%s: fits %v, the same epoch %v", tt.name, p.Covers(mark), p.Epoch() == epoch)
		}
		if clocks := tt.before.DependOnTime(); tt.after == nil && (p.Mark() == mark) != (!clocks || tt.later < 24*time.Hour) {
			t.Errorf("%s: the mark is %q, was %q", tt.name, p.Mark(), mark)
		}
		if !frozen.Time().Equal(day) || frozen.Rules() != tt.before || !frozen.Covers(mark) {
			t.Errorf("%s: what was frozen is of %s", tt.name, frozen.Time())
		}
		if got, clocks := p.Day(), p.Rules().DependOnTime(); clocks != (got != 0) || clocks && got != now.Unix()/86400 {
			t.Errorf("%s: day %d", tt.name, got)
		}
	}
	p := &access.Policy{Now: func() time.Time { return day }}
	p.Put(embargo)
	for _, mark := range []string{"", embargo.Sum(), embargo.Sum() + " soon", "other " + "20543"} {
		if p.Covers(mark) {
			t.Errorf("what has the mark %q fits", mark)
		}
	}
	var none *access.Policy
	if !none.Open() || none.Epoch() != 0 || none.Time().IsZero() || p.Open() || !(&access.Policy{}).Open() ||
		(&access.Policy{}).Time().IsZero() {
		t.Error("whether all is open is wrong")
	}
}

func TestRulesOfCollections(t *testing.T) {
	staff := read(t, "rules: [{url: http://a.example/, access: block, group: staff}, {url: http://b.example/, access: block}]")
	clock := read(t, "rules: [{url: http://a.example/, access: block, group: guests, embargo: {newer: 1 year}}]")
	again := read(t, "rules: [{url: http://a.example/, access: block, group: staff}]")
	all := access.PerCollection(map[string]*access.Rules{"web": staff, "news": clock, "more": again, "none": nil})
	if all.Alike() || all.Empty() || !all.DependOnTime() || all.Len() != 4 || all.Sum() == "" {
		t.Errorf("alike %v, empty %v, clocks %v, %d rules", all.Alike(), all.Empty(), all.DependOnTime(), all.Len())
	}
	if got := all.Groups(); !slices.Equal(got, []string{"guests", "staff"}) || !all.HasGroup("staff") || all.HasGroup("other") {
		t.Errorf("groups %q", got)
	}
	if all.In("web") != staff || all.In("news") != clock || !all.In("none").Empty() || !all.In("other").Empty() || staff.In("web") != staff {
		t.Error("a collection has rules of others")
	}
	if !staff.Alike() || len(staff.All()) != 2 || staff.All()[0].Group != "staff" || len(access.Join(staff, again).All()) != 3 {
		t.Errorf("%+v", staff.All())
	}
	same := access.PerCollection(map[string]*access.Rules{"more": again, "news": clock, "web": staff})
	other := access.PerCollection(map[string]*access.Rules{"web": clock, "news": staff, "more": again})
	if same.Sum() != all.Sum() || other.Sum() == all.Sum() {
		t.Error("the sum of rules tells nothing about them")
	}
	empty := access.PerCollection(map[string]*access.Rules{"web": read(t, "rules: []"), "news": nil})
	if !empty.Empty() || empty.DependOnTime() || empty.Len() != 0 || empty.Sum() != access.PerCollection(nil).Sum() {
		t.Errorf("without rules: %q", empty.Sum())
	}
}

func TestEmbargoesAreWritten(t *testing.T) {
	year, days := access.Age{Years: 1}, access.Age{Days: 10}
	until := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	for want, e := range map[string]access.Embargo{
		"": {}, "newer than 1 year": {Newer: year}, "older than 10 days": {Older: days}, "until 2026-03-31": {Until: until},
		"newer than 1 year or older than 10 days, until 2026-03-31": {Newer: year, Older: days, Until: until},
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
