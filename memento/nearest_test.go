package memento

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
)

func TestNearer(t *testing.T) {
	tests := []struct {
		name         string
		want, better cdx.Timestamp
		than         cdx.Timestamp
	}{
		{"RFC 7089 §4.5.3: before the first it is the first", 19900101000000, 20010101000000, 20020101000000},
		{"RFC 7089 §4.5.3: after the last it is the last", 20300101000000, 20020101000000, 20010101000000},
		{"exactly on one it is that one", 20010101000000, 20010101000000, 20010101000001},
		{"a second nearer is nearer", 20010101000000, 20001231235958, 20010101000003},
		{"on a tie it is the earlier", 20010101000000, 20001231235959, 20010101000001},
		{"distance is time, not digits", 20010301000000, 20010228235959, 20010301000041},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !Nearer(tt.want, tt.better, tt.than) || Nearer(tt.want, tt.than, tt.better) {
				t.Errorf("for %d, %d should come before %d", tt.want, tt.better, tt.than)
			}
		})
	}
	if Nearer(20010101000000, 20010101000000, 20010101000000) {
		t.Error("nothing is nearer than itself")
	}
}

// Candidates are written as hours from the wanted datetime; ! marks a failed one.
func TestPreferred(t *testing.T) {
	tests := []struct{ name, captures, want string }{
		{"no captures", "", ""},
		{"good ones by distance", "-30 -2 1 4", "1 -2 4 -30"},
		{"a tie goes to the earlier", "-3 3", "-3 3"},
		{"a failed one yields to a good one within the day", "0! 20", "20 0!"},
		{"exactly a day is within it", "0! 24", "24 0!"},
		{"more than a day is not", "0! 25", "0! 25"},
		{"the day counts from the failed one, not from the datetime", "-10! 20", "-10! 20"},
		{"a good one within the day passes one that is not", "-10! 14 20 -30", "14 -30 -10! 20"},
		{"the nearest good one first", "-3! 5 4 -4", "-4 4 5 -3!"},
		{"failed ones alone keep their order", "-2! 1! 3!", "1! -2! 3!"},
		{"a good one behind two failed ones", "0! 1! 2", "2 0! 1!"},
		{"a good one that only the second reaches", "0! 20! 30", "0! 30 20!"},
		{"a good one that neither of two reaches", "-10! -12! 20 60", "-10! -12! 20 60"},
		{"far ones do not wait", "0! 50 60 70", "0! 50 60 70"},
		{"a failed one far away yields there", "0 50! 60 100", "0 60 50! 100"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := preferred(t, tt.captures); got != tt.want {
				t.Errorf("%s: got %q, want %q", tt.captures, got, tt.want)
			}
		})
	}
}

const noon cdx.Timestamp = 20200615120000

func preferred(t *testing.T, captures string) string {
	t.Helper()
	var got []string
	for c, err := range Preferred(noon, nearestFirst(t, captures)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, hours(c))
	}
	return strings.Join(got, " ")
}

func hours(c *cdx.Capture) string {
	s := fmt.Sprint((c.Time.Unix() - noon.Unix()) / 3600)
	if c.Failed() {
		s += "!"
	}
	return s
}

// nearestFirst yields captures in order of distance, all in the same variable, as an index may do.
func nearestFirst(t *testing.T, captures string) iter.Seq2[*cdx.Capture, error] {
	t.Helper()
	var all []cdx.Capture
	for f := range strings.FieldsSeq(captures) {
		var h int64
		if _, err := fmt.Sscan(strings.TrimSuffix(f, "!"), &h); err != nil {
			t.Fatal(err)
		}
		c := cdx.Capture{Time: fromUnix(noon.Unix() + 3600*h), Status: 200}
		if strings.HasSuffix(f, "!") {
			c.Status = 503
		}
		all = append(all, c)
	}
	return inOnePlace(all)
}

func inOnePlace(all []cdx.Capture) iter.Seq2[*cdx.Capture, error] {
	slices.SortStableFunc(all, func(a, b cdx.Capture) int {
		if Nearer(noon, a.Time, b.Time) {
			return -1
		}
		if Nearer(noon, b.Time, a.Time) {
			return 1
		}
		return 0
	})
	return func(yield func(*cdx.Capture, error) bool) {
		var place cdx.Capture
		for _, place = range all {
			if !yield(&place, nil) {
				return
			}
		}
	}
}

func TestPreferredStopsWhenAsked(t *testing.T) {
	for _, captures := range []string{"0 1 2", "0! 1 2", "0! 50 60", "0! 1! 50! 60 90"} {
		for stop := 1; stop < 3; stop++ {
			n := 0
			for range Preferred(noon, nearestFirst(t, captures)) {
				if n++; n == stop {
					break
				}
			}
			if n != stop {
				t.Errorf("%s: went on to %d", captures, n)
			}
		}
	}
}

func TestPreferredYieldsHeldCapturesBeforeAnError(t *testing.T) {
	broken := errors.New("broken")
	seq := func(yield func(*cdx.Capture, error) bool) {
		_ = yield(&cdx.Capture{Time: noon, Status: 503}, nil) && yield(nil, broken)
	}
	var got []string
	for c, err := range Preferred(noon, seq) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, hours(c))
	}
	if s := strings.Join(got, " "); s != "0! broken" {
		t.Errorf("got %q", s)
	}
	for range Preferred(noon, seq) {
		break // the error must not follow
	}
}

// In any order of the captures, each must come once, and the first must be the one that the rule names.
func TestPreferredLosesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var all []cdx.Capture
		for range rnd.IntN(12) {
			c := cdx.Capture{Time: fromUnix(noon.Unix() + rnd.Int64N(400_000) - 200_000), Status: 200}
			if rnd.IntN(2) == 0 {
				c.Status = 500
			}
			all = append(all, c)
		}
		var got []cdx.Timestamp
		for c := range Preferred(noon, inOnePlace(all)) {
			got = append(got, c.Time)
		}
		if len(all) > 0 && got[0] != ruleFirst(all) {
			t.Fatalf("%v: first %d, want %d", all, got[0], ruleFirst(all))
		}
		var want []cdx.Timestamp
		for _, c := range all {
			want = append(want, c.Time)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("got %d, want %d", got, want)
		}
	}
}

// ruleFirst applies the rule in its plainest form, to captures sorted by distance.
func ruleFirst(all []cdx.Capture) cdx.Timestamp {
	if all[0].Failed() {
		for _, c := range all {
			if !c.Failed() && c.Time.Distance(all[0].Time) <= 24*60*60 {
				return c.Time
			}
		}
	}
	return all[0].Time
}

func fromUnix(s int64) cdx.Timestamp { return cdx.FromTime(time.Unix(s, 0)) }
