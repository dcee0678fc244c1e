package recorder

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, "../../..", func(lang string) map[string]templ.Component {
		return map[string]templ.Component{"recorder": Page(someRecorded(lang)), "recorder-direct": Page(nothingRecorded(lang))}
	})
}

func someRecorded(lang string) View {
	return View{
		Page:      layout.Page{Lang: lang, Assets: fixture.Assets(), Home: "http://varve.proxy/"},
		Exchanges: 1204, Same: 31, Bytes: 48_230_114,
		Pages: []PageLink{
			{
				URI: "https://river.example/?a=1&b=2", Time: fixture.At(2016, 9, 1, 9, 21),
				Href: "http://127.0.0.1:8080/web/20160901092100/https://river.example/?a=1&b=2",
			},
			{URI: "https://lake.example/", Time: fixture.At(2016, 9, 1, 9, 20)},
		},
		Failed: []Failure{{URI: "http://192.168.0.1/", Why: "the address is not on the public Internet, so it is not asked"}},
		PEM:    "/ca.pem", DER: "/ca.crt", Fingerprint: strings.Repeat("5F ", 31) + "5F",
	}
}

func nothingRecorded(lang string) View {
	v := someRecorded(lang)
	v.Direct, v.Address, v.Secrets = true, "127.0.0.1:8082", true
	v.Exchanges, v.Same, v.Bytes, v.Pages, v.Failed = 0, 0, 0, nil, nil
	return v
}
