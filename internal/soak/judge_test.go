package main

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// at makes a ledger that knows captures of one URI-R: of each, its state since some minutes ago, or since a moment after the question.
func ledgerOf(states map[*capture]state, changed map[*capture]bool) *ledger {
	l := newLedger()
	for c, s := range states {
		c.state, c.since = s, time.Now().Add(-time.Minute)
		if changed[c] {
			c.since = time.Now().Add(time.Minute)
		}
		l.of[c.uri] = append(l.of[c.uri], c)
	}
	return l
}

func headerOf(fields ...string) http.Header {
	h := http.Header{}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		h.Set(name, value)
	}
	return h
}

// What is there for sure has to be answered so, what surely isn't not; what comes or goes at the time, either way.
func TestJudgingMementos(t *testing.T) {
	m := newMaker()
	const uri = "http://a.example/"
	asked, other := m.page(uri), m.page(uri)
	good := answer{status: 200, header: headerOf("Memento-Datetime: " + asked.at.Format(http.TimeFormat)), body: asked.body}
	wrongBody := good
	wrongBody.body = other.body
	wrongTime := good
	wrongTime.header = headerOf("Memento-Datetime: " + other.at.Format(http.TimeFormat))
	elsewhere := answer{status: 302, header: headerOf("Location: http://x/web/" + other.ts() + "id_/" + uri)}
	nowhere := answer{status: 302, header: headerOf("Location: http://x/web/19990101000000id_/" + uri)}
	missing, failed := answer{status: 404, header: http.Header{}}, answer{status: 500, header: http.Header{}}
	later, never := answer{status: 503, header: headerOf("Retry-After: 9")}, answer{status: 503, header: http.Header{}}
	for name, tt := range map[string]struct {
		asked, other state
		changed      bool // the asked one, during the question
		right, wrong []answer
	}{
		"there": {there, there, false, []answer{good}, []answer{wrongBody, wrongTime, elsewhere, missing, later, never, failed}},
		"on its way": {
			unsure, there, false, []answer{good, elsewhere, later}, []answer{wrongBody, wrongTime, nowhere, missing, never, failed},
		},
		"on its way, alone":        {unsure, absent, false, []answer{good, missing, later}, []answer{wrongBody, elsewhere, never, failed}},
		"gone":                     {absent, there, false, []answer{elsewhere}, []answer{good, nowhere, missing, failed}},
		"gone, and all with it":    {absent, absent, false, []answer{missing}, []answer{good, elsewhere, failed}},
		"gone during the question": {absent, there, true, []answer{good, elsewhere, later}, []answer{wrongBody, missing, never, failed}},
	} {
		t.Run(name, func(t *testing.T) {
			mix := &mix{ledger: ledgerOf(map[*capture]state{asked: tt.asked, other: tt.other}, map[*capture]bool{asked: tt.changed})}
			judge := mix.replayed(asked, true, nil)
			for _, a := range tt.right {
				a.began = time.Now()
				if wrong := judge(&a); wrong != "" {
					t.Errorf("%d %v is refused: %s", a.status, a.header, wrong)
				}
			}
			for _, a := range tt.wrong {
				a.began = time.Now()
				if judge(&a) == "" {
					t.Errorf("%d %v %.20s is accepted", a.status, a.header, a.body)
				}
			}
		})
	}
}

func TestJudgingTimeGates(t *testing.T) {
	m := newMaker()
	const uri = "http://a.example/"
	first, second, coming := m.page(uri), m.page(uri), m.page(uri)
	mix := &mix{ledger: ledgerOf(map[*capture]state{first: there, second: there, coming: unsure}, nil)}
	to := func(c *capture, vary string) *answer {
		h := headerOf("Location: /web/" + c.ts() + "/" + uri)
		h.Set("Vary", vary)
		return &answer{status: 302, header: h, began: time.Now()}
	}
	for _, tt := range []struct {
		name, ts string
		a        *answer
		right    bool
	}{
		{"the nearest", first.ts(), to(first, "accept-datetime"), true},
		{"one that isn't the nearest", first.ts(), to(second, "accept-datetime"), false},
		{"one that may be there", coming.ts(), to(coming, "accept-datetime"), true},
		{"the nearest of those that are there for sure", coming.ts(), to(second, "accept-datetime"), true},
		{"not even the nearest of these", coming.ts(), to(first, "accept-datetime"), false},
		{"without Vary", first.ts(), to(first, ""), false},
		{"nowhere", first.ts(), &answer{status: 302, header: http.Header{}, began: time.Now()}, false},
		{"nothing", first.ts(), &answer{status: 404, header: http.Header{}, began: time.Now()}, false},
	} {
		if wrong := mix.negotiated(uri, tt.ts)(tt.a); (wrong == "") != tt.right {
			t.Errorf("%s: %q", tt.name, wrong)
		}
	}
}

func TestJudgingLists(t *testing.T) {
	m := newMaker()
	const uri = "http://a.example/"
	first, coming, gone := m.page(uri), m.page(uri), m.page(uri)
	mix := &mix{ledger: ledgerOf(map[*capture]state{first: there, coming: unsure, gone: absent}, nil)}
	line := func(captures ...*capture) []byte {
		var b strings.Builder
		for _, c := range captures {
			b.WriteString(c.ts() + " " + c.uri + "\n")
		}
		return []byte(b.String())
	}
	for _, tt := range []struct {
		name  string
		body  []byte
		all   bool
		right bool
	}{
		{"what is there", line(first), true, true},
		{"what may be there too", line(first, coming), true, true},
		{"only what may be there", line(coming), true, false},
		{"what is gone too", line(first, gone), true, false},
		{"nothing", nil, true, false},
		{"a part", nil, false, true},
		{"a part that is gone", line(gone), false, false},
	} {
		a := &answer{status: 200, body: tt.body, began: time.Now()}
		if wrong := mix.lines(onHost("a.example"), tt.all)(a); (wrong == "") != tt.right {
			t.Errorf("%s: %q", tt.name, wrong)
		}
	}
}

func TestForgettingWhatIsLongGone(t *testing.T) {
	l, m := newLedger(), newMaker()
	c := m.page("http://a.example/")
	l.set(unsure, c)
	if k := l.ofURI(c.uri, time.Now()); len(k.sure) != 0 || len(k.possible) != 1 || l.passing(m.random) != c {
		t.Errorf("on its way: %+v", k)
	}
	l.set(there, c)
	if k := l.ofURI(c.uri, time.Now().Add(time.Second)); len(k.sure) != 1 {
		t.Errorf("there: %+v", k)
	}
	l.set(absent, c)
	if k := l.ofURI(c.uri, time.Now().Add(time.Second)); len(k.possible) != 0 || l.passing(m.random) != nil || len(l.lastGone()) != 1 {
		t.Errorf("gone: %+v", k)
	}
	c.since = time.Now().Add(-2 * longGone)
	for range maxGone {
		l.set(absent, m.page("http://b.example/"))
	}
	if l.of[c.uri] != nil || len(l.lastGone()) != maxGone {
		t.Errorf("%d are remembered, and %v", len(l.lastGone()), l.of[c.uri])
	}
}
