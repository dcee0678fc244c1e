package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// describe writes a wrong answer down, with what was asked.
func describe(q *question, a *answer, wrong string) string {
	var head bytes.Buffer
	_ = a.header.Write(&head) // into memory
	return fmt.Sprintf("%s %.300s %v\n  wrong: %s\n  status %d, %s to %s\n  %s\n  %.300s\n", q.method, q.target, q.header, wrong, a.status,
		a.began.Format("15:04:05.000"), a.ended.Format("15:04:05.000"), strings.ReplaceAll(head.String(), "\r\n", "\n  "), a.body)
}

// status accepts answers of some statuses.
func status(want ...int) func(*answer) string {
	return func(a *answer) string {
		if slices.Contains(want, a.status) {
			return ""
		}
		return fmt.Sprintf("the status, want %v", want)
	}
}

// busy reports whether a server says that it does that later. It must say when.
func busy(a *answer) bool {
	return a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") != ""
}

// about checks an answer about a URI-R: one of the statuses want if there are captures, 404 if there may be none, 503 while a file with
// some is changing. more checks answers with the wanted statuses further.
func (m *mix) about(uri string, more func(a *answer, k *known) string, want ...int) func(*answer) string {
	return func(a *answer) string {
		k := m.ledger.ofURI(uri, a.began)
		switch {
		case slices.Contains(want, a.status) && len(k.possible) > 0:
			if more != nil {
				return more(a, &k)
			}
			return ""
		case a.status == http.StatusNotFound && len(k.sure) == 0, busy(a) && !k.still():
			return ""
		}
		return fmt.Sprintf("the status, where %d captures are for sure and %d may be; want %v", len(k.sure), len(k.possible), want)
	}
}

// replayed judges a memento of a capture, as archived or rewritten.
func (m *mix) replayed(c *capture, raw bool, part []byte) func(*answer) string {
	return func(a *answer) string {
		k := m.ledger.ofURI(c.uri, a.began)
		want := c.status
		if part != nil {
			want = http.StatusPartialContent
		}
		at, err := http.ParseTime(a.header.Get("Memento-Datetime"))
		isMemento := err == nil
		switch {
		case isMemento && a.status == want && k.at(c.ts()) != nil:
			if at.Format(stamp) != c.ts() {
				return "another datetime, " + at.Format(stamp)
			}
			return m.shows(a, c, raw, part)
		case k.isSure(c):
			return fmt.Sprintf("the status: the capture is there, with %d", want)
		case a.status == http.StatusFound && !isMemento && k.led(a) != nil, busy(a):
			return ""
		case a.status == http.StatusNotFound && len(k.sure) == 0:
			return ""
		}
		return fmt.Sprintf("the status, where the capture may be, or another of %d", len(k.possible))
	}
}

// shows judges a body.
func (m *mix) shows(a *answer, c *capture, raw bool, part []byte) string {
	switch {
	case part != nil && !bytes.Equal(a.body, part):
		return "the bytes of the range"
	case part == nil && raw && !bytes.Equal(a.body, c.body):
		return fmt.Sprintf("the bytes: %d, want %d", len(a.body), len(c.body))
	case !raw && c.marker != "" && !bytes.Contains(a.body, []byte(c.marker)):
		return "the page: it doesn't say " + c.marker
	}
	return ""
}

var urim = regexp.MustCompile(`/web/(\d{14})(?:[a-z]{2}_)?/`)

// led returns the capture that a redirect leads to, nil if that can't be present.
func (k *known) led(a *answer) *capture {
	found := urim.FindStringSubmatch(a.header.Get("Location"))
	if found == nil {
		return nil
	}
	return k.at(found[1])
}

// leads checks that a redirect leads to a capture that may be present.
func leads(a *answer, k *known) string {
	if k.led(a) == nil {
		return "where it leads"
	}
	return ""
}

// negotiated checks a TimeGate: it leads to a capture that may be present, and no capture that is certainly present is nearer.
func (m *mix) negotiated(uri, ts string) func(*answer) string {
	return m.about(uri, func(a *answer, k *known) string {
		led := k.led(a)
		if led == nil {
			return "where it leads"
		}
		for _, c := range k.sure {
			if distance(c, ts) < distance(led, ts) {
				return fmt.Sprintf("it leads to %s, and %s is nearer to %s", led.ts(), c.ts(), ts)
			}
		}
		if !strings.Contains(a.header.Get("Vary"), "accept-datetime") {
			return "Vary"
		}
		return ""
	}, http.StatusFound)
}

// lists checks an answer that lists captures: it has all that are certainly present, and only captures that may be present.
func lists(k *known, got []string, name func(*capture) string) string {
	may, named := map[string]bool{}, map[string]bool{}
	for _, c := range k.possible {
		may[name(c)] = true
	}
	for _, g := range got {
		named[g] = true
		if !may[g] {
			return g + " is listed and not there"
		}
	}
	for _, c := range k.sure {
		if !named[name(c)] {
			return name(c) + " is there and not listed"
		}
	}
	return ""
}

// timemap checks a TimeMap of a URI-R with less than a page of captures.
func (m *mix) timemap(uri string) func(*answer) string {
	return m.about(uri, func(a *answer, k *known) string {
		var got []string
		for _, found := range urim.FindAllSubmatch(a.body, -1) {
			got = append(got, string(found[1]))
		}
		return lists(k, got, (*capture).ts)
	}, http.StatusOK)
}

// lines judges lines of a timestamp and a URI-R, from a CDX query.
func (m *mix) lines(of func(uri string) bool, all bool) func(*answer) string {
	return func(a *answer) string {
		if a.status != http.StatusOK {
			return "the status"
		}
		k := m.ledger.between(a.began, of)
		if !all {
			k.sure = nil
		}
		var got []string
		if len(a.body) > 0 {
			got = strings.Split(strings.TrimSuffix(string(a.body), "\n"), "\n")
		}
		return lists(&k, got, func(c *capture) string { return c.ts() + " " + c.uri })
	}
}

func escaped(uri string) string { return url.QueryEscape(uri) }

// distance returns how far a capture is from a datetime.
func distance(c *capture, ts string) time.Duration {
	at, err := time.Parse(stamp, ts)
	if err != nil {
		return 0
	}
	return c.at.Sub(at).Abs()
}
