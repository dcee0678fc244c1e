package requests_test

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/varve-archive/varve/archive/archivetest"
	"github.com/varve-archive/varve/archive/requests"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// Where the key leaves open what was sent and no record of the request says it, there is no answer rather than a wrong one.
func TestFuzzyBodyNeedsToBeSure(t *testing.T) {
	const uri, day = "http://a.example/rpc", cdx.Timestamp(20150101000000)
	message := func(words string, at int64) []byte {
		b := protowire.AppendString(protowire.AppendTag(nil, 2, protowire.BytesType), words)
		return protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(at))
	}
	key := func(body []byte) string { return surt.OfRequest(uri, "POST", body, "application/x-protobuf") }
	for words, sure := range map[string]bool{"boa": true, "qu": false} {
		s, shelf := open(t, archivetest.Record{Date: "20150101000000", URI: uri, Body: "answer"})
		shelf.Put(t, key(message(words, 1420070405123)), uri, day)
		asked := message(words, 1767225600789)
		tl, c, err := requests.Body(t.Context(), s, "web", key(asked), asked, day)
		if err != nil || (c != nil) != sure || sure && (tl.Key != c.Key || c.Time != day) {
			t.Errorf("%s: %v, %v", words, c, err)
		}
		other := message(words+"!", 1767225600789)
		if _, c, err := requests.Body(t.Context(), s, "web", key(other), other, day); c != nil || err != nil {
			t.Errorf("%s: another body: %v, %v", words, c, err)
		}
	}
}

func TestHasIsWhatWouldBeAnswered(t *testing.T) {
	const day = cdx.Timestamp(20200101000000)
	at := func(date, uri string, status int) archivetest.Record {
		return archivetest.Record{Date: date, URI: uri, Status: status, Body: "text"}
	}
	s, _ := open(t, at("2020", "http://a.example/1", 200), at("2020", "http://a.example/2", 404), at("2010", "http://a.example/2", 200),
		at("2010", "http://a.example/3", 206))
	uris := []string{"http://a.example/3", "http://a.example/2", "http://a.example/1", "http://a.example/4"}
	has, err := s.Has(t.Context(), "web", day, uris)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true, false} {
		if has[i] != want {
			t.Errorf("%s: %v", uris[i], has[i])
		}
	}
}
