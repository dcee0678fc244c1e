package banner_test

import (
	"bytes"
	"context"
	"fmt"
	"regexp"

	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
)

func ExampleBanner() {
	v := banner.BannerView{
		Lang: locale.Choose("en-GB,en;q=0.7"), URIR: "http://example.org/", Time: 20170218114200, Version: 2, Versions: 2,
		PrevVersion: &banner.VersionLink{Href: "/web/20160101000000/http://example.org/", Time: 20160101000000},
	}
	var html bytes.Buffer
	if err := banner.Banner(v).Render(context.Background(), &html); err != nil {
		fmt.Println(err)
	}
	fmt.Println(regexp.MustCompile(`rel="[^"]*" href="[^"]*"`).FindString(html.String()))
	// Output: rel="predecessor-version" href="/web/20160101000000/http://example.org/"
}
