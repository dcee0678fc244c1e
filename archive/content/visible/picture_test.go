package visible

import (
	"strings"
	"testing"
)

func TestPicturesInTheContent(t *testing.T) {
	t.Parallel()
	prose := "<p>" + strings.Repeat("The old mill at the river was drawn by its keeper. ", 20) + "</p>"
	page := func(picture string) string {
		return "<header><img src=/head.jpg></header><nav><img src=/nav.jpg></nav><main><h1>The mill</h1>" + prose + picture + prose +
			"</main><footer><img src=/foot.jpg></footer>"
	}
	long := strings.Repeat("m", 299)
	for picture, want := range map[string]string{
		`<img src="/mill.jpg">`:                                                      "/mill.jpg",
		`<img src=/mill.jpg?a=1&amp;b=2 width=640>`:                                  "/mill.jpg?a=1&b=2",
		`<img src="data:image/gif;base64,R0" data-src=/late.jpg>`:                    "/late.jpg",
		`<img src=/placeholder.gif data-src=/late.jpg>`:                              "/late.jpg",
		`<img srcset="/s.jpg 1x, /l.jpg 2x">`:                                        "/s.jpg",
		`<picture><source srcset=/mill.webp><img src=/mill.jpg></picture>`:           "/mill.jpg",
		`<video poster=/still.jpg><source src=/mill.mp4></video>`:                    "/still.jpg /mill.mp4",
		`<video src=/mill.mp4 poster=/still.jpg></video>`:                            "/mill.mp4",
		`<object data=/plan.svg></object>`:                                           "/plan.svg",
		`<figure><a href=/x><img src=/a.jpg></a><figcaption>A</figcaption></figure>`: "/a.jpg",
		`<img src=/icons/mill.png>`:                                                  "",
		`<img class=avatar src=/anna.jpg>`:                                           "",
		`<img src=/dot.gif width=1 height=1>`:                                        "",
		`<img src=/mill.jpg width=32px>`:                                             "",
		`<img src="data:image/gif;base64,R0">`:                                       "",
		`<img src=https://ad.doubleclick.net/x.gif>`:                                 "",
		`<img src=/mill.jpg width=64 height=64px>`:                                   "/mill.jpg",
		`<img width=10 height=640 class=large src=/mill.jpg>`:                        "",
		`<img class=avatar width=640 src=/mill.jpg>`:                                 "",
		`<img src=/mill.jpg height=63>`:                                              "",
		`<img src=/` + long + `>`:                                                    "/" + long,
		`<img src=/` + long + `x>`:                                                   "",
		strings.Repeat("<img src=/m.jpg>", 65):                                       strings.TrimSpace(strings.Repeat("/m.jpg ", 64)),
		`<img>`:                                                                      "",
		`<noscript><img src=/mill.jpg></noscript>`:                                   "",
		`<iframe src=https://p.example/embed/4711></iframe>`:                         "film https://p.example/embed/4711",
		`<iframe src=about:blank data-src=//p.example/embed/4711></iframe>`:          "film //p.example/embed/4711",
		`<embed src=http://www.youtube.com/v/xyz&amp;fs=1>`:                          "film http://www.youtube.com/v/xyz&fs=1",
		`<object data=//player.example/plan.swf></object>`:                           "film //player.example/plan.swf",
		`<img src=//player.example/anna.jpg>`:                                        "//player.example/anna.jpg",
		`<iframe src=https://p.example/embed/4711 width=1 height=1></iframe>`:        "",
		`<iframe src=/menu.html></iframe>`:                                           "",
		`<iframe src=https://maps.example/embed?at=4711></iframe>`:                   "",
		`<iframe src=https://p.example/comments/embed/4711></iframe>`:                "",
		`<iframe src=https://ads.example/video/4711></iframe>`:                       "",
		`<iframe></iframe>`:                                                          "",
		`<frameset><frame src=/menu.html><frame src="a.html"></frameset>`:            "film /menu.html film a.html",
		`<template><iframe src=//p.example/embed/4711></iframe></template>`:          "",
	} {
		var e Extractor
		var got []string
		for range 2 {
			text := e.Extract([]byte(page(picture)), "text/html")
			got = nil
			for _, p := range text.Pictures {
				if p.Film {
					got = append(got, "film")
				}
				got = append(got, p.Address)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", picture, s, want)
		}
	}
}

// Addresses of pictures are relative to the page, though the page has a base element.
func TestPicturesOfPagesWithABase(t *testing.T) {
	t.Parallel()
	long := "/" + strings.Repeat("m", 290)
	for head, want := range map[string]string{
		`<base href="http://A/Docs/">`:                 "http://A/Docs/a.jpg http://A/b.jpg?c=%20 http://C/c.jpg //d/d.jpg",
		`<BASE TARGET=_top HREF=/x/y.html?q#f>`:        "/x/a.jpg /b.jpg?c=%20 http://C/c.jpg //d/d.jpg",
		`<base target=_top><base href="//a/x&amp;y/">`: "//a/x&y/a.jpg //a/b.jpg?c=%20 http://C/c.jpg //d/d.jpg",
		`<basefont color=red>`:                         "a.jpg /b.jpg?c=%20 http://C/c.jpg //d/d.jpg",
		`<base href="docs/">`:                          "a.jpg /b.jpg?c=%20 http://C/c.jpg //d/d.jpg",
		`<base href="http://[/">`:                      "a.jpg /b.jpg?c=%20 http://C/c.jpg //d/d.jpg",
		`<base href="`:                                 "",
		`<base href="http://a` + long + `/">`:          "a.jpg http://a/b.jpg?c=%20 http://C/c.jpg //d/d.jpg",
	} {
		text := new(Extractor).Extract([]byte(head+"<main><p>The mill.</p><img src=a.jpg><img src=/b.jpg?c=%20><img src=http://C/c.jpg>"+
			"<img src=//d/d.jpg></main>"), "text/html")
		var got []string
		for _, p := range text.Pictures {
			got = append(got, p.Address)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", head, s, want)
		}
	}
}

func TestNamesOfPictures(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{
			"/img/mill.jpg", "https://cdn7.h.example/i/mill.jpg?v=3", "//x.example/Mill-300x200.webp", "/w/mill_640px.jpg",
			"/mill-scaled.jpg", "/mill@2x.png",
		},
		{"/a/mill.3f2a9c41.jpg", "/a/mill.99e0b1d4.jpg"},
		{"/image.php?id=5&w=100", "/image.php?w=200&id=5&token=x"},
		{"/_next/image?url=%2Fimg%2Fmill.jpg&w=640", "/img/mill.jpg"},
		{"/photos/17/large.jpg", "/photos/17/small.jpg"},
		{"/photos/17/10000.jpg", "/photos/18/10000.jpg"}, // a number that tells it from others
		{"/resize?src=/img/mill.jpg", "/img?src=/img/mill.jpg&w=5", "/img/mill.jpg"},
	} {
		for _, address := range same {
			if got, want := PictureName(address), PictureName(same[0]); got != want {
				t.Errorf("%s is %s, and %s is %s", address, got, same[0], want)
			}
		}
	}
	for _, other := range [][2]string{
		{"/img/mill.jpg", "/img/harbour.jpg"},
		{"/image.php?id=5", "/image.php?id=6"},
		{"/p/3f2a9c4177.jpg", "/p/99e0b1d412.jpg"},
		{"/photos/17/large.jpg", "/photos/18/large.jpg"},
		{"/photos/17/9999.jpg", "/photos/18/9999.jpg"},
		{"/img/mill-1.jpg", "/img/mill-2.jpg"},
		{"/img/w.jpg", "/img/h.jpg"},
		{"/img/mill-x2.jpg", "/img/mill-x3.jpg"},
		{"/a/mill-2xl.jpg", "/a/mill-3xl.jpg"},
		{"/resize?src=mill", "/resize?src=harbour"},
		{"/img/mill.20240101.jpg", "/img/mill.20250101.jpg"},   // no letters: a date
		{"/img/mill.deadbeef.jpg", "/img/mill.facadeca.jpg"},   // no digits: words
		{"/img/mill.3f2a9c4.jpg", "/img/mill.99e0b1d.jpg"},     // seven digits: too short
		{"/img/mill.3f2a9c41g.jpg", "/img/mill.99e0b1d4g.jpg"}, // not hexadecimal
	} {
		if a, b := PictureName(other[0]), PictureName(other[1]); a == b {
			t.Errorf("%s and %s are both %s", other[0], other[1], a)
		}
	}
}

func TestNamesOfFilms(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://www.youtube.com/embed/aB-c_1?rel=0&autoplay=1":      "aB-c_1",
		"//www.youtube-nocookie.com/embed/aB-c_1":                    "aB-c_1",
		"http://www.youtube.com/v/aB-c_1&hl=en_US&fs=1":              "aB-c_1",
		"https://www.youtube.com/embed/videoseries?list=PL7&index=2": "videoseries?list=PL7",
		"https://player.vimeo.com/video/76979871?h=8272103f6e":       "76979871",
		"https://www.facebook.com/plugins/video.php?href=a&width=9":  "video.php?href=a",
		"https://player.twitch.tv/?video=v17&parent=a.example":       "/?video=v17",
		"https://player.twitch.tv?video=v17":                         ".?video=v17",
		"https://w.soundcloud.com/player/?url=a%2Ftracks%2F1&color=": "player?url=a%2Ftracks%2F1",
		"https://p.example/videos/embed/9c9de5e8-0a1e#t=1":           "9c9de5e8-0a1e",
		"https://p.example/embed/a/film.html?videoId=7&t=9":          "film.html?videoId=7",
		"https://[": "https://[",
	} {
		if got := FilmName(address); got != want {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
}
