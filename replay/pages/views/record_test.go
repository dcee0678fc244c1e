package views

import (
	"strings"

	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/replay/pages/layout"
)

func recorderView(lang string) RecorderView {
	return RecorderView{
		Page: layout.Page{Lang: lang, Assets: fixture.Assets(), Home: "http://varve.proxy/"}, Exchanges: 1204, Same: 31, Bytes: 48_230_114,
		Pages: []RecordedPage{
			{
				URIR: "https://river.example/?a=1&b=2", Time: at(2016, 9, 1, 9, 21),
				Href: "http://127.0.0.1:8080/web/20160901092100/https://river.example/?a=1&b=2",
			},
			{URIR: "https://lake.example/", Time: at(2016, 9, 1, 9, 20)},
		},
		Failed: []RecordedFailure{{"http://192.168.0.1/", "the address is not on the public Internet, so it is not asked"}},
		PEM:    "/ca.pem", DER: "/ca.crt", Fingerprint: strings.Repeat("5F ", 31) + "5F",
	}
}

func emptyRecorder(lang string) RecorderView {
	v := recorderView(lang)
	v.Direct, v.Address, v.Secrets = true, "127.0.0.1:8082", true
	v.Exchanges, v.Same, v.Bytes, v.Pages, v.Failed = 0, 0, 0, nil, nil
	return v
}
