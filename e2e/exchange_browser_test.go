package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

const exchangeType = "application/signed-exchange;v=b3"

// signedExchange returns an exchange for a page of the live web, as Chromium parses it (draft-yasskin-httpbis-origin-signed-
// exchanges-impl-03, section 5.3). Its signature names a certificate there. Chromium asks for the certificate of one that it can
// parse, and for the page of one that it can't, before there is a document whose policy could keep it from that.
func signedExchange(name string, whole bool) string {
	fallback := "https://live.example/" + name
	now := time.Now().Unix()
	signature := fmt.Sprintf(`sig;sig=*MEUCIQ==*;integrity="digest/mi-sha256-03";cert-url="https://live.example/%s.cert";`+
		`cert-sha256=*%s*;validity-url="https://live.example/%s.validity";date=%d;expires=%d`,
		name, strings.Repeat("A", 43)+"=", name, now-60, now+3600)
	var headers []byte
	bytes := func(s string) { // a CBOR byte string
		if len(s) < 24 {
			headers = append(headers, 0x40|byte(len(s)))
		} else {
			headers = append(headers, 0x58, byte(len(s)))
		}
		headers = append(headers, s...)
	}
	headers = append(headers, 0xa4) // a map of four, by length and then by bytes
	for _, field := range [][2]string{
		{"digest", "mi-sha256-03=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},
		{":status", "200"},
		{"content-type", "text/html"},
		{"content-encoding", "mi-sha256-03"},
	} {
		bytes(field[0])
		bytes(field[1])
	}
	if !whole {
		headers = []byte("no CBOR")
	}
	length := func(n, size int) string { return string([]byte{byte(n >> 16), byte(n >> 8), byte(n)}[3-size:]) }
	return "sxg1-b3\x00" + length(len(fallback), 2) + fallback + length(len(signature), 3) + length(len(headers), 3) +
		signature + string(headers) + "\x00\x00\x00\x00\x00\x00\x10\x00<p>body"
}

// exchangePages lead to an exchange in ways in which pages do.
var exchangePages = map[string]string{
	"by-itself":   "",
	"in-a-frame":  `<iframe src="/exchange-%[1]s"></iframe>`,
	"prefetched":  `<link rel=prefetch as=document href="/exchange-%[1]s">`,
	"by-script":   `<script>location = "/exchange-%[1]s"</script>`,
	"in-a-window": `<script>open("/exchange-%[1]s")</script>`,
	"by-refresh":  `<meta http-equiv=refresh content="0; url=/exchange-%[1]s">`,
	"as-a-script": `<script src="/exchange-%[1]s"></script>`,
	"as-a-bundle": `<script type=webbundle>{"source": "/bundle", "resources": ["/exchange-%[1]s"]}</script><img src="/exchange-%[1]s">`,
}

func TestSignedExchangesDoNotAskTheLiveWeb_long(t *testing.T) {
	t.Parallel()
	a := &archive{}
	var targets []string
	for way, page := range exchangePages {
		for _, whole := range []bool{true, false} {
			name := fmt.Sprintf("%s-%t", way, whole)
			a.response(host+"/exchange-"+name, day, "200 OK", signedExchange(name, whole), "Content-Type: "+exchangeType,
				"X-Content-Type-Options: nosniff")
			if page != "" {
				a.page(host+"/"+name, day, "<!doctype html><title>t</title><body><p>x"+fmt.Sprintf(page, name))
				targets = append(targets, at14("/"+name))
			}
			for _, mod := range []string{"", "id_", "if_", "oe_"} {
				targets = append(targets, fmt.Sprintf("/web/%s%s/%s/exchange-%s", day, mod, host, name))
			}
		}
	}
	a.response(host+"/bundle", day, "200 OK", "\x86\x48\xf0\x9f\x8c\x90\xf0\x9f\x93\xa6", "Content-Type: application/webbundle",
		"X-Content-Type-Options: nosniff")
	proxy := freeAddress(t)
	s := a.serve(t, "--proxy", proxy)
	g := browseAsReaders(t, s)
	g.staysInside(t, targets)
	through := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: proxy})}}
	resp, err := through.Get(host + "/exchange-by-itself-true")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if kind, what := resp.Header.Get("Content-Type"), resp.Header.Get("Content-Disposition"); kind != "application/octet-stream" ||
		what != "attachment" {
		t.Errorf("the proxy sends it as %q, %q", kind, what)
	}
}

// The test above notices exchanges that do ask: sent as what they are, each asks for its certificate or for its page.
func TestTrapCatchesSignedExchanges(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/-/healthz" {
			return
		}
		w.Header().Set("Content-Type", exchangeType)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write([]byte(signedExchange(strings.Trim(r.URL.Path, "/"), r.URL.Path == "/whole")))
	}))
	t.Cleanup(plain.Close)
	g := browseAsReaders(t, &server{url: plain.URL})
	g.opensAll(t, []string{"/whole", "/broken"})
	_, leaks := g.seen()
	if len(leaks) < 2 {
		t.Errorf("caught %q", leaks)
	}
}
