package memento

import (
	"testing"
	"time"

	"github.com/varve-archive/varve/cdx"
)

func TestParseAcceptDatetime(t *testing.T) {
	tests := []struct {
		name, value string
		want        cdx.Timestamp // 0: want an error
	}{
		// RFC 7089 §2.1.1
		{"the example of the RFC", "Thu, 31 May 2007 20:35:00 GMT", 20070531203500},
		{"a one-digit day with a leading zero", "Mon, 03 Feb 2014 00:00:00 GMT", 20140203000000},
		{"a leap day", "Sat, 29 Feb 2020 23:59:59 GMT", 20200229235959},
		{"a year long ago", "Mon, 01 Jan 0001 00:00:00 GMT", 10101000000},
		{"a year far ahead", "Fri, 31 Dec 9999 23:59:59 GMT", 99991231235959},
		// deviations that can't be misread
		{"a weekday that is not the date's, as RFC 7089 prints it", "Tue, 15 Sep 2000 11:28:26 GMT", 20000915112826},
		{"white space around it", " \tThu, 31 May 2007 20:35:00 GMT ", 20070531203500},
		{"several spaces inside", "Thu,  31  May 2007 20:35:00  GMT", 20070531203500},
		{"no space after the comma", "Thu,31 May 2007 20:35:00 GMT", 20070531203500},
		{"a one-digit day", "Fri, 1 Jun 2007 20:35:00 GMT", 20070601203500},
		{"lower case", "thu, 31 may 2007 20:35:00 gmt", 20070531203500},
		{"UTC for GMT", "Thu, 31 May 2007 20:35:00 UTC", 20070531203500},
		{"no offset in digits", "Thu, 31 May 2007 20:35:00 +0000", 20070531203500},
		{"no offset, below none", "Thu, 31 May 2007 20:35:00 -0000", 20070531203500},
		{"UT for GMT", "Thu, 31 May 2007 20:35:00 UT", 20070531203500},
		// RFC 7089 §4.5.3: answered with 400
		{"nothing", "", 0},
		{"a word", "yesterday", 0},
		{"ISO 8601", "2007-05-31T20:35:00Z", 0},
		{"fourteen digits", "20070531203500", 0},
		{"RFC 850 with a two-digit year", "Thursday, 31-May-07 20:35:00 GMT", 0},
		{"asctime", "Thu May 31 20:35:00 2007", 0},
		{"another zone", "Thu, 31 May 2007 20:35:00 EST", 0},
		{"another offset", "Thu, 31 May 2007 20:35:00 +0200", 0},
		{"no zone", "Thu, 31 May 2007 20:35:00", 0},
		{"no weekday", "31 May 2007 20:35:00 GMT", 0},
		{"no seconds", "Thu, 31 May 2007 20:35 GMT", 0},
		{"other separators of a time", "Thu, 31 May 2007 20.35:00 GMT", 0},
		{"of its seconds", "Thu, 31 May 2007 20:35.00 GMT", 0},
		{"an hour in letters", "Thu, 31 May 2007 xx:35:00 GMT", 0},
		{"a minute in letters", "Thu, 31 May 2007 20:xx:00 GMT", 0},
		{"a second in letters", "Thu, 31 May 2007 20:35:xx GMT", 0},
		{"a year of three digits", "Thu, 31 May 207 20:35:00 GMT", 0},
		{"a word behind it", "Thu, 31 May 2007 20:35:00 GMT now", 0},
		{"a month in another language", "Do, 31 Mai 2007 20:35:00 GMT", 0},
		{"a day that the month does not have", "Fri, 30 Feb 2007 20:35:00 GMT", 0},
		{"an hour too many", "Thu, 31 May 2007 24:00:00 GMT", 0},
		{"a minute too many", "Thu, 31 May 2007 20:60:00 GMT", 0},
		{"year 0", "Sat, 01 Jan 0000 00:00:00 GMT", 0},
		{"a colon in the year", "Thu, 31 May 200: 20:35:00 GMT", 0},
		{"a star in the hour", "Tue, 01 May 2007 5*:35:00 GMT", 0},
		{"a year of five digits", "Thu, 31 May 20070 20:35:00 GMT", 0},
		{"a signed day", "Thu, +1 May 2007 20:35:00 GMT", 0},
		{"an interval after it, as early drafts had", "Thu, 31 May 2007 20:35:00 GMT; -P3DT5H", 0},
		{"two of them", "Thu, 31 May 2007 20:35:00 GMT, Thu, 31 May 2007 20:35:00 GMT", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseAcceptDatetime(tt.value)
			if got != tt.want || (err == nil) != (tt.want != 0) {
				t.Errorf("ParseAcceptDatetime(%q) = %d, %v; want %d", tt.value, got, err, tt.want)
			}
		})
	}
}

// The standard library must give the same result for every day of a leap cycle.
func TestFormatDatetimeAgreesWithTheStandardLibrary(t *testing.T) {
	const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"
	for d := time.Date(1600, 1, 1, 13, 7, 9, 0, time.UTC); d.Year() < 2001; d = d.AddDate(0, 0, 1) {
		if got, want := FormatDatetime(cdx.FromTime(d)), d.Format(httpDate); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func FuzzDatetime(f *testing.F) {
	for _, s := range []string{
		"Thu, 31 May 2007 20:35:00 GMT", "thu,1 may 2007 20:35:00 z", "yesterday", "Thu, 31 May 2007 20:35:00 +0000", ", , ,",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ts, err := ParseAcceptDatetime(s)
		if err != nil {
			return
		}
		again, err := ParseAcceptDatetime(FormatDatetime(ts))
		if err != nil || again != ts {
			t.Fatalf("%q is %d, but %q is %d, %v", s, ts, FormatDatetime(ts), again, err)
		}
		if want := ts.Time().Format("Mon, 02 Jan 2006 15:04:05 GMT"); FormatDatetime(ts) != want {
			t.Fatalf("%d formats as %q, want %q", ts, FormatDatetime(ts), want)
		}
	})
}
