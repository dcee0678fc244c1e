package cdx

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestParseTimestamp(t *testing.T) {
	tests := []struct {
		name, in   string
		start, end string // "" is an error
	}{
		{"a whole one", "20140127171238", "20140127171238", "20140127171238"},
		{"one digit of the year", "2", "20000101000000", "29991231235959"},
		{"year 0 does not exist, 1 to 999 do", "0", "00010101000000", "09991231235959"},
		{"two digits", "19", "19000101000000", "19991231235959"},
		{"three digits", "201", "20100101000000", "20191231235959"},
		{"a year", "2014", "20140101000000", "20141231235959"},
		{"the first nine months", "20140", "20140101000000", "20140930235959"},
		{"the last three months", "20141", "20141001000000", "20141231235959"},
		{"no such tens of months", "20142", "", ""},
		{"a month", "201404", "20140401000000", "20140430235959"},
		{"February", "201402", "20140201000000", "20140228235959"},
		{"February of a leap year", "201602", "20160201000000", "20160229235959"},
		{"February of 1900", "190002", "19000201000000", "19000228235959"},
		{"month 13", "201413", "", ""},
		{"month 0", "201400", "", ""},
		{"the first nine days", "2014020", "20140201000000", "20140209235959"},
		{"ten days", "2014021", "20140210000000", "20140219235959"},
		{"the twenties of February", "2014022", "20140220000000", "20140228235959"},
		{"the thirties of January", "2014013", "20140130000000", "20140131235959"},
		{"the thirties of February", "2014023", "", ""},
		{"a day", "20140127", "20140127000000", "20140127235959"},
		{"no such day", "20140230", "", ""},
		{"day 0", "20140200", "", ""},
		{"ten hours", "201401271", "20140127100000", "20140127195959"},
		{"the last four hours", "201401272", "20140127200000", "20140127235959"},
		{"hours past midnight", "201401273", "", ""},
		{"an hour", "2014012717", "20140127170000", "20140127175959"},
		{"hour 24", "2014012724", "", ""},
		{"ten minutes", "20140127171", "20140127171000", "20140127171959"},
		{"a minute", "201401271712", "20140127171200", "20140127171259"},
		{"ten seconds", "2014012717123", "20140127171230", "20140127171239"},
		{"a leap second counts as none", "20161231235960", "", ""},
		{"the last of all", "99991231235959", "99991231235959", "99991231235959"},
		{"nothing", "", "", ""},
		{"too many digits", "201401271712380", "", ""},
		{"letters", "2014x", "", ""},
		{"a sign", "-2014", "", ""},
		{"digits of other scripts", "２０１４", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, side := range []struct {
				parse func(string) (Timestamp, error)
				want  string
			}{{ParseTimestamp, tt.start}, {ParseTimestampEnd, tt.end}} {
				got, err := side.parse(tt.in)
				if (err != nil) != (side.want == "") {
					t.Fatalf("%q: error %v, want %q", tt.in, err, side.want)
				}
				if err == nil && got.String() != side.want {
					t.Errorf("%q: got %s, want %s", tt.in, got, side.want)
				}
			}
		})
	}
}

func TestWhatIsAskedForIsTheNearestDate(t *testing.T) {
	for in, want := range map[string][2]string{
		"20140000000000": {"20140101000000", "20140101000000"}, "99999999999999": {"99991231235959", "99991231235959"},
		"00000000000000": {"00010101000000", "00010101000000"}, "20140631": {"20140630000000", "20140630235959"},
		"20142": {"20141201000000", "20141231235959"}, "201404": {"20140401000000", "20140430235959"},
		"2014013124": {"20140131230000", "20140131235959"}, "": {}, "x": {}, "201401271712380": {},
	} {
		start, err := ParseAsked(in)
		end, errEnd := ParseAskedEnd(in)
		if want[0] == "" {
			if err == nil || errEnd == nil {
				t.Errorf("%q: no error", in)
			}
		} else if start.String() != want[0] || end.String() != want[1] || err != nil || errEnd != nil {
			t.Errorf("%q: %s to %s, want %s", in, start, end, want)
		}
	}
}

func TestTimestampOfTime(t *testing.T) {
	tests := []struct {
		name string
		in   time.Time
		want Timestamp
	}{
		{"another zone", time.Date(2014, 1, 1, 0, 30, 0, 0, time.FixedZone("", 3600)), 20131231233000},
		{"fractions are cut", time.Date(2014, 1, 1, 0, 0, 0, 999_999_999, time.UTC), 20140101000000},
		{"before year 1", time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC), 0},
		{"the last second of year 0", time.Date(0, 12, 31, 23, 59, 59, 0, time.UTC), 0},
		{"the first of year 1", time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), 10101000000},
		{"the last of year 9999", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), 99991231235959},
		{"year 10000", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), 0},
		{"after year 9999", time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := FromTime(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTimestampDistance(t *testing.T) {
	a, b := Timestamp(20131231235959), Timestamp(20140101000001)
	if a.Distance(b) != 2 || b.Distance(a) != 2 || a.Distance(a) != 0 {
		t.Errorf("got %d, %d, %d, want 2, 2, 0", a.Distance(b), b.Distance(a), a.Distance(a))
	}
}

func FuzzTimestamp(f *testing.F) {
	for _, s := range []string{"2", "20140", "2014022", "201401272", "20140127171238", "99999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		start, err := ParseTimestamp(s)
		end, errEnd := ParseTimestampEnd(s)
		if (err == nil) != (errEnd == nil) {
			t.Fatalf("%q: start says %v, end says %v", s, err, errEnd)
		}
		if err != nil {
			return
		}
		if !start.Valid() || !end.Valid() || start > end {
			t.Fatalf("%q: %s to %s", s, start, end)
		}
		if !strings.HasPrefix(start.String(), s) || !strings.HasPrefix(end.String(), s) {
			t.Fatalf("%q does not begin %s and %s", s, start, end)
		}
		if FromTime(start.Time()) != start {
			t.Fatalf("%s as a time is %s", start, FromTime(start.Time()))
		}
		if n, err := strconv.ParseUint(start.String(), 10, 64); err != nil || Timestamp(n) != start {
			t.Fatalf("%s reads as %d, %v", start, n, err)
		}
	})
}

func ExampleParseTimestampEnd() {
	from, _ := ParseTimestamp("201602")
	to, _ := ParseTimestampEnd("201602")
	fmt.Println(from, to)
	// Output: 20160201000000 20160229235959
}

func TestUnixIsThatOfTheTime(t *testing.T) {
	for day := time.Date(1, 1, 1, 23, 59, 58, 0, time.UTC); day.Year() < 10000; day = day.AddDate(0, 0, 1) {
		ts := FromTime(day)
		if got := ts.Unix(); got != day.Unix() {
			t.Fatalf("%v: %d, want %d", ts, got, day.Unix())
		}
	}
}
