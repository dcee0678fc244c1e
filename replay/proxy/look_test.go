package proxy

import (
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/varve-archive/varve/internal/testkit/fixture"
	"github.com/varve-archive/varve/internal/testkit/looks"
	"github.com/varve-archive/varve/replay/pages/layout"
)

func TestPagesLookAsTheyDid(t *testing.T) {
	fixture.Check(t, "../..", func(lang string) map[string]templ.Component {
		return map[string]templ.Component{
			"proxy": homePage(proxyView(lang)), "proxy-direct": homePage(proxyDirectView(lang)), "proxy-ask": movePage(proxyMoveView(lang)),
		}
	})
}

func proxyView(lang string) homeView {
	return homeView{
		Page:        layout.Page{Lang: lang, Assets: fixture.Assets(), Home: "http://varve.proxy/"},
		Collections: []string{"web", "news"}, Collection: "news", Time: fixture.At(2016, 9, 1, 9, 21), Choose: "/-/choose", Token: "t0ken",
		PEM: "/ca.pem", DER: "/ca.crt", Fingerprint: strings.Repeat("5F ", 31) + "5F",
	}
}

func proxyDirectView(lang string) homeView {
	v := proxyView(lang)
	v.Direct, v.Address = true, "127.0.0.1:8081"
	return v
}

func proxyMoveView(lang string) moveView {
	return moveView{Page: fixture.Page(lang), Time: fixture.At(2016, 9, 1, 9, 21), Collection: "web", Choose: "/-/choose", Token: "t0ken"}
}

func TestProxyCredentialsLeaveNoCollectionToChoose(t *testing.T) {
	v := proxyView("en")
	if html := looks.Render(t, homePage(v)); !strings.Contains(html, `<option value="news" selected>`) {
		t.Error("the collection chosen is not")
	}
	v.Fixed = true
	if html := looks.Render(t, homePage(v)); strings.Contains(html, "<select") || !strings.Contains(html, "chooses the collection news") {
		t.Error("a collection can be chosen in spite of the credentials")
	}
}
