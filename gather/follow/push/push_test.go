package push_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/gather/follow/push"
)

var now = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

func subscribed() *push.State {
	var s push.State
	s.Found("http://hub.example/", "http://a.example/feed", "http://cloud.example/")
	s.Subscribe("http://me.example", now)
	return &s
}

// A verification is for what was asked, not long after it was asked (WebSub §5.3).
func TestVerification(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		query string
		after time.Duration
		want  bool
		until time.Duration
	}{
		"as it should be": {
			"hub.mode=subscribe&hub.topic=http://a.example/feed&hub.challenge=x&hub.lease_seconds=3600", time.Minute, true,
			time.Hour,
		},
		"a lease without end": {
			"hub.mode=subscribe&hub.topic=http://a.example/feed&hub.challenge=x&hub.lease_seconds=9999999999", 0, true,
			90 * 24 * time.Hour,
		},
		"a lease of a second":  {"hub.mode=subscribe&hub.topic=http://a.example/feed&hub.challenge=x&hub.lease_seconds=1", 0, true, time.Minute},
		"a lease that is none": {"hub.mode=subscribe&hub.topic=http://a.example/feed&hub.challenge=x&hub.lease_seconds=1x", 0, false, 0},
		"another topic":        {"hub.mode=subscribe&hub.topic=http://b.example/feed&hub.challenge=x&hub.lease_seconds=3600", 0, false, 0},
		"no challenge":         {"hub.mode=subscribe&hub.topic=http://a.example/feed&hub.lease_seconds=3600", 0, false, 0},
		"no lease":             {"hub.mode=subscribe&hub.topic=http://a.example/feed&hub.challenge=x", 0, false, 0},
		"long after": {
			"hub.mode=subscribe&hub.topic=http://a.example/feed&hub.challenge=x&hub.lease_seconds=3600", time.Hour, false,
			0,
		},
		"an end nobody wanted": {"hub.mode=unsubscribe&hub.topic=http://a.example/feed&hub.challenge=x", 0, false, 0},
	} {
		s := subscribed()
		q, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		at := now.Add(tt.after)
		challenge, ok := s.Verify(q, at)
		if ok != tt.want || ok && challenge != "x" || ok && s.Until.Sub(at) != tt.until || ok != s.Trusted(at) {
			t.Errorf("%s: %q, %t, until %s", name, challenge, ok, s.Until)
		}
	}
}

// A hub that never answers is asked later and later.
func TestBackOff(t *testing.T) {
	t.Parallel()
	s := subscribed()
	at, before := now, time.Duration(0)
	for range 12 {
		wait := s.Renew.Sub(at)
		if wait < before || wait > 25*time.Hour || s.Due(at) {
			t.Errorf("%s after %s", wait, before)
		}
		at, before = s.Renew, wait
		s.Subscribe("http://me.example", at)
	}
	if before < 24*time.Hour {
		t.Errorf("in the end after %s", before)
	}
	s = subscribed()
	if s.Fail(now, "no room"); s.Failed != 1 {
		t.Errorf("it failed %d times", s.Failed)
	}
	if s.Subscribe("http://me.example", now.Add(time.Hour)); s.Failed != 1 || s.Denied != "" {
		t.Errorf("what was denied counts again: %+v", s)
	}
	q := url.Values{"hub.mode": {"subscribe"}, "hub.topic": {s.Topic}, "hub.challenge": {"x"}, "hub.lease_seconds": {"3600"}}
	if _, ok := s.Verify(q, now.Add(time.Hour)); !ok || s.Failed != 0 {
		t.Errorf("after a success: %+v", s)
	}
	var never push.State
	if never.Found("http://hub.example/", s.Topic, ""); !never.Due(now) || never.Trusted(now) {
		t.Errorf("never asked: %+v", never)
	}
	if _, ok := never.Verify(q, now); ok {
		t.Error("what was never asked for is verified")
	}
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	s := subscribed()
	one, other := hmac.New(sha1.New, []byte(s.Secret)), hmac.New(sha512.New, []byte(s.Secret))
	_, _ = one.Write([]byte("news"))
	_, _ = other.Write([]byte("news"))
	for signature, want := range map[string]bool{
		"sha1=" + hex.EncodeToString(one.Sum(nil)): true, "sha512=" + hex.EncodeToString(other.Sum(nil)): true,
		"sha256=" + hex.EncodeToString(one.Sum(nil)): false, "sha1=" + hex.EncodeToString(one.Sum(nil))[:38]: false, "sha1=zz": false,
		"sha1=": false,
		"":      false, "md5=00": false, hex.EncodeToString(one.Sum(nil)): false,
	} {
		if err := s.Signed(signature, []byte("news")); (err == nil) != want || err != nil && !errors.Is(err, push.ErrSignature) {
			t.Errorf("%q: %v", signature, err)
		}
	}
	var none push.State
	empty := hmac.New(sha1.New, nil)
	_, _ = empty.Write([]byte("news"))
	if none.Signed("sha1="+hex.EncodeToString(empty.Sum(nil)), []byte("news")) == nil {
		t.Error("a signature without a secret counts")
	}
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	h := http.Header{"Link": {
		`<http://hub.example/>; rel="hub", </feed>; rel="self alternate"`, `<http://hub2.example/>; title="x"; REL=Hub`, "<broken; rel=hub",
		"http://broken.example/>; rel=hub",
		"rel=hub",
	}}
	hubs, self := push.Discover(h)
	if !slices.Equal(hubs, []string{"http://hub.example/", "http://hub2.example/"}) || self != "/feed" {
		t.Errorf("%v, %s", hubs, self)
	}
	hubs, self = push.Discover(http.Header{"Link": {`</feed?cat=1,2>; rel=self, <http://hub.example/a,b> rel="hub"`}})
	if !slices.Equal(hubs, []string{"http://hub.example/a,b"}) || self != "/feed?cat=1,2" {
		t.Errorf("with commas: %v, %s", hubs, self)
	}
	if hubs, _ := push.Discover(http.Header{"Link": {strings.Repeat("<http://hub.example/>; rel=hub,", 9)}}); len(hubs) != 8 {
		t.Errorf("%d hubs", len(hubs))
	}
}

func TestPingsThatAreNone(t *testing.T) {
	t.Parallel()
	call := func(method, values string) string {
		return "<methodCall><methodName>" + method + "</methodName><params>" + values + "</params></methodCall>"
	}
	value := func(s string) string { return "<param><value><string>" + s + "</string></value></param>" }
	for name, tt := range map[string]struct{ text, want string }{
		"no XML":         {"hello", "no call by XML-RPC"},
		"another method": {call("system.listMethods", ""), "no method \"system.listMethods\""},
		"too few":        {call("weblogUpdates.ping", value("x")), "name of a site and its address"},
		"an empty one":   {call("weblogUpdates.ping", value("x")+value("")+value("http://a.example/")), "name of a site and its address"},
		"no address":     {call("weblogUpdates.ping", value("x")+value("javascript:alert(1)")), "want an address with http or https"},
		"too long":       {call("weblogUpdates.ping", value(strings.Repeat("x", 1<<17))), "longer than"},
		"without an end": {"<methodCall>" + strings.Repeat("<a>", 1000), "no call by XML-RPC"},
		"with an entity": {
			`<!DOCTYPE x [<!ENTITY a "b">]>` + call("weblogUpdates.ping", value("&a;")+value("http://a.example/")),
			"no call by XML-RPC",
		},
		"of another kind": {"<methodResponse/>", "no call by XML-RPC"},
	} {
		if _, err := push.ParsePing(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := push.ParsePing(strings.NewReader(`<?xml version="1.0" encoding="windows-1252"?>` + call("weblogUpdates.extendedPing",
		value("N\xe9ws")+value("http://a.example/")+value("https://a.example/new")+value("http://a.example/feed")+value("tag"))))
	if err != nil || p.Name != "Néws" || !slices.Equal(p.URLs, []string{
		"http://a.example/", "https://a.example/new",
		"http://a.example/feed",
	}) {
		t.Errorf("%+v, %v", p, err)
	}
}

// Whatever is sent as a ping, it is one with addresses or an error.
func FuzzParsePing(f *testing.F) {
	f.Add("<methodCall><methodName>weblogUpdates.ping</methodName><params><param><value>x</value></param>" +
		"<param><value>http://a.example/</value></param></params></methodCall>")
	f.Add("<methodCall/>")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := push.ParsePing(strings.NewReader(text))
		if err == nil && (len(p.URLs) == 0 || len(p.URLs) > 3) {
			t.Errorf("%+v", p)
		}
	})
}

// A cloud tells of an address alone, so it is asked only where there is no hub, whose deliveries are signed.
func TestWhoIsAsked(t *testing.T) {
	t.Parallel()
	const hub, topic, cloud = "http://hub.example/", "http://a.example/feed", "http://cloud.example/"
	var s push.State
	if s.Found("", topic, ""); !s.IsZero() || s.Due(now) || s.String() != "" {
		t.Errorf("nobody: %+v", s)
	}
	s.Found("", topic, cloud)
	if s.Hub != "" || s.Cloud != cloud || s.Token == "" || !s.Due(now) || !strings.Contains(s.String(), "asked for a subscription: "+cloud) {
		t.Errorf("a cloud: %+v", s)
	}
	token := s.Token
	if s.Found("", "http://a.example/other", cloud); s.Token != token {
		t.Error("the same cloud, another token")
	}
	s.Found(hub, topic, cloud)
	if s.Hub != hub || s.Cloud != "" || s.Token == token {
		t.Errorf("a hub beside a cloud: %+v", s)
	}
	token = s.Token
	if s.Found(hub, topic, cloud); s.Token != token {
		t.Error("the same hub, another token")
	}
	if s.Found(hub, "http://a.example/other", ""); s.Token == token {
		t.Error("another topic, the same token")
	}
	token = s.Token
	if s.Found("http://other.example/", "http://a.example/other", ""); s.Token == token {
		t.Error("another hub, the same token")
	}
}

// A subscription counts until its lease ends, or until it missed news twice in a row.
func TestTrust(t *testing.T) {
	t.Parallel()
	s := subscribed()
	verified := url.Values{"hub.mode": {"subscribe"}, "hub.topic": {s.Topic}, "hub.challenge": {"x"}, "hub.lease_seconds": {"36000"}}
	if s.Verify(verified, now); !s.Trusted(now) || !s.Trusted(now.Add(10*time.Hour-1)) || s.Trusted(now.Add(10*time.Hour)) {
		t.Errorf("until %s", s.Until)
	}
	if s.Renew.Sub(now) != 8*time.Hour || !strings.HasPrefix(s.String(), "pushed by http://hub.example/ until 2024-05-01T22:00:00Z") {
		t.Errorf("renewed at %s: %s", s.Renew, s)
	}
	s.Notified(now)
	for i, want := range []bool{true, false} {
		if s.Late(now.Add(time.Hour), now); s.Trusted(now) != want {
			t.Errorf("missed %d: trusted %t", i+1, !want)
		}
	}
	if !strings.HasPrefix(s.String(), "silent: ") {
		t.Error(s.String())
	}
	if s.Notified(now.Add(time.Hour)); !s.Trusted(now.Add(time.Hour)) {
		t.Error("what told again is not trusted")
	}
	if s.Late(now.Add(2*time.Hour), now); s.Missed != 0 {
		t.Error("what was told in time counts as missed")
	}
	if s.Late(now.Add(20*time.Hour), now.Add(19*time.Hour)); s.Missed != 0 {
		t.Error("what comes after the lease counts as missed")
	}
	denied := url.Values{"hub.mode": {"denied"}, "hub.topic": {s.Topic}, "hub.reason": {" no \n room " + strings.Repeat("x", 300)}}
	said := ": the hub denied it: no room " + strings.Repeat("x", 192) + "…"
	if _, ok := s.Verify(denied, now); !ok || s.Trusted(now) || !strings.HasSuffix(s.String(), said) {
		t.Errorf("denied: %s", s)
	}
	if s.Renew.Sub(now) != 15*time.Minute {
		t.Errorf("asked again at %s", s.Renew)
	}
}

func TestRegistrationWithACloud(t *testing.T) {
	t.Parallel()
	for base, want := range map[string][3]string{
		"http://me.example": {"me.example", "80", ""}, "https://me.example": {"me.example", "443", ""},
		"http://me.example:8080/varve": {"me.example", "8080", "/varve"}, "http://[2001:db8::1]:81": {"[2001:db8::1]", "81", ""},
		"http://192.0.2.1": {"192.0.2.1", "80", ""},
	} {
		var s push.State
		s.Found("", "http://a.example/feed", "http://cloud.example/")
		q, err := s.Register(base, "http://a.example/feed", now)
		if err != nil || q.Get("domain") != want[0] || q.Get("port") != want[1] || q.Get("path") != want[2]+"/rsscloud/"+s.Token ||
			q.Get("protocol") != "http-post" || q.Get("url1") != "http://a.example/feed" {
			t.Errorf("%s: %v, %v", base, q, err)
		}
		if !s.Challenged(now.Add(10*time.Minute)) || s.Challenged(now.Add(10*time.Minute+1)) || subscribed().Challenged(now) {
			t.Error("a challenge counts for ten minutes, of a cloud alone")
		}
		if s.Registered(now); !s.Trusted(now.Add(24*time.Hour-1)) || s.Trusted(now.Add(24*time.Hour)) {
			t.Errorf("registered until %s", s.Until)
		}
	}
}
