package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/varve-archive/varve/rewrite/uses"
)

// relative answers with the path of a URI in example.com, to keep tables short: "@/dir/x".
func relative(refs []uses.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = "@" + strings.TrimPrefix(r.URI, "http://example.com")
	}
	return out
}

// Browsers look past line breaks in the scheme of a script's URL, and decode what is behind it before they run it.
func TestScriptsInURLs(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "javascript:f(location)", "javascript:f(_varve_.location)"},
		{"with a remainder", "javascript:f(a % location)", "javascript:f(a % _varve_.location)"},
		{"with references", "JavaScript&#58;f(&#39;a&#39;,location)", "JavaScript&#58;f(&#39;a&#39;,_varve_.location)"},
		{"behind spaces, broken", "&#32;java&Tab;scr\nipt:location", "&#32;java&Tab;scr\nipt:_varve_.location"},
		{"encoded", "javascript:f(%22a%22,%20location)%3B", "javascript:f(%22a%22,%20_varve_.location)%3B"},
		{"with an encoded name", "javascript:void%20l%6fcation", "javascript:void%20_varve_.l%6fcation"},
		{"another scheme", "javascripts:location", "javascripts:location"},
		{"part of one", "&#106;ava", "@/dir/java"},
		{"nothing to run", "javascript:", "javascript:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, HTML, `<a href="`+tt.in+`">`, Options{JS: true, Resolve: relative, Head: []byte("<script></script>")})
			if want := `<script></script><a href="` + tt.want + `">`; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestSrcset(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"one URL", "a.png", "@/dir/a.png"},
		{"with a density", "a.png 2x", "@/dir/a.png 2x"},
		{"several with widths", "a.png 1w, b.png 2w", "@/dir/a.png 1w, @/dir/b.png 2w"},
		{"without space behind the comma", "a.png 1x,b.png 2x", "@/dir/a.png 1x,@/dir/b.png 2x"},
		{"a comma inside of a URL is part of it", "a,b.png 1x", "@/dir/a%2Cb.png 1x"},
		{"without descriptors, spaces separate", "a.png, b.png,c.png", "@/dir/a.png, @/dir/b.png%2Cc.png"},
		{"commas around mean nothing", " , a.png ,, b.png , ", " , @/dir/a.png ,, @/dir/b.png , "},
		{"a comma in parentheses means nothing", "a.png (1,2) 1x, b.png", "@/dir/a.png (1,2) 1x, @/dir/b.png"},
		{"the first parenthesis that closes ends them", "a.png ((1,2), b.png 2x", "@/dir/a.png ((1,2), @/dir/b.png 2x"},
		{"one that closes nothing means nothing", "a.png 1), b.png (,)), c.png", "@/dir/a.png 1), @/dir/b.png (,)), @/dir/c.png"},
		{"newlines are spaces", "a.png\n1x,\n\tb.png", "@/dir/a.png\n1x,\n\t@/dir/b.png"},
		{"data: stays", "data:image/png;base64,xx 1x, b.png 2x", "data:image/png;base64,xx 1x, @/dir/b.png 2x"},
		{"character references are read", "a.png?x&amp;y 1x&#44; b.png", "@/dir/a.png?x&amp;y 1x&#44; @/dir/b.png"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, HTML, `<img srcset="`+tt.in+`">`, Options{Resolve: relative})
			if want := `<img srcset="` + tt.want + `">`; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestMetaRefresh(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"with url", "5; url=x", "5; url=@/dir/x"},
		{"in capitals, with spaces", "5 ; URL = x", "5 ; URL = @/dir/x"},
		{"in quotes", "0;url='x y'", "0;url='@/dir/x%20y'"},
		{"in an open quote", "0;url='x", "0;url='@/dir/x"},
		{"without url", "0; x", "0; @/dir/x"},
		{"with a comma", "0,x", "0,@/dir/x"},
		{"with a fraction", "0.5;url=x", "0.5;url=@/dir/x"},
		{"of the page itself", "30", "30"},
		{"with a fragment", "0;url=x#y", "0;url=@/dir/x#y"},
		{"none at all", "hello", "hello"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, HTML, `<meta http-equiv="Refresh" content="`+tt.in+`">`, Options{Resolve: relative})
			if want := `<meta http-equiv="Refresh" content="` + tt.want + `">`; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// In some elements, mark-up is text.
func TestTextThatLooksLikeMarkUp(t *testing.T) {
	for _, name := range []string{"textarea", "title", "xmp", "iframe", "TEXTAREA"} {
		in := "<" + name + "><a href=x><!-- <p title='</" + name + "><a href=y>"
		if got, want := run(t, HTML, in, Options{Resolve: relative}), strings.Replace(in, "=y", "=@/dir/y", 1); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	const plain = "<plaintext><a href=x></plaintext><a href=y>"
	if got := run(t, HTML, plain, Options{Resolve: relative}); got != plain {
		t.Errorf("got %s", got)
	}
}

func TestStillPagesStayWhereTheyAre(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a refresh", `<meta http-equiv=refresh content="0;url=x">`, `<meta http-equiv=refresh _content="0;url=x">`},
		{"a refresh in disguise", `<meta http-equiv="re&#102;resh" content=0>`, `<meta http-equiv="re&#102;resh" _content=0>`},
		{"a frame", `<iframe src=x>`, `<iframe sandbox src=@/dir/x>`},
		{
			"a frame that allows itself scripts", `<IFRAME sandbox="allow-scripts" srcdoc="<p>">`,
			`<IFRAME sandbox sandbox="allow-scripts" srcdoc="<p>">`,
		},
		{"a frame without a space", `<iframe/src=x>`, `<iframe sandbox/src=@/dir/x>`},
		{"a frame in a frame", `<iframe srcdoc="<iframe src='x'>">`, `<iframe sandbox srcdoc="<iframe sandbox src='@/dir/x'>">`},
		{"a film", `<video autoplay loop src=x>`, `<video _autoplay loop src=@/dir/x>`},
		{"a film that says so twice", `<audio Autoplay="autoplay" autoplay>`, `<audio _Autoplay="autoplay" _autoplay>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, HTML, tt.in, Options{Resolve: relative, Still: true}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if got := run(t, HTML, tt.in, Options{Resolve: nothing}); got != tt.in {
				t.Errorf("left alone it becomes %s", got)
			}
		})
	}
}

func TestWhereHeadAndBannerGo(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"in head and body", "<html><head><title>t</title></head><body class=a>x", "<html><head>[H]<title>t</title></head><body class=a>[B]x"},
		{"before the first script", "<script>1</script><body>", "[H]<script>1</script><body>[B]"},
		{"behind the doctype and comments", "<!DOCTYPE html><!-- c --> <p>x", "<!DOCTYPE html><!-- c --> [H][B]<p>x"},
		{"in text alone", "hello", "[H][B]hello"},
		{"behind a byte order mark", "\xef\xbb\xbfhello", "\xef\xbb\xbf[H][B]hello"},
		{"never in nothing", " \n", " \n"},
		{"never in an empty document", "", ""},
		{"in an empty head", "<html><head/><body>x", "<html><head/>[H]<body>[B]x"},
		{"without a body", "<html><head></head></html>", "<html><head>[H]</head>[B]</html>"},
		{
			"never in a frameset", "<frameset><frame></frameset><noframes><body>x</noframes>",
			"[H]<frameset><frame></frameset><noframes><body>x</noframes>",
		},
		{"not in a noscript of the head", "<head><noscript><img></noscript></head>x", "<head>[H]<noscript><img></noscript></head>[B]x"},
		{"not in a template of the head", "<head><template><p>x</p></template><link><p>", "<head>[H]<template><p>x</p></template><link>[B]<p>"},
		{"not in a noframes of the head", "<noframes><p>x</noframes><link><p>", "[H]<noframes><p>x</noframes><link>[B]<p>"},
		{
			"not in the body of a noframes", "<noframes><body>x</body></html></noframes><link><p>",
			"[H]<noframes><body>x</body></html></noframes><link>[B]<p>",
		},
		{"at the end of a head that is cut off", "<html><head><title>x", "<html><head>[H]<title>x" + closeAll + "[B]"},
		{
			"behind open templates", "<style>a</style><template><template>",
			"[H]<style>a</style><template><template>" + closeAll + "</template>[B]",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, HTML, tt.in, Options{Head: []byte("[H]"), Banner: []byte("[B]")}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestWhereTheBannerOfFramesetsGoes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"behind the head", "<head><title>t</title></head><frameset><frame>", "<head>[H]<title>t</title></head>[F]<frameset><frame>"},
		{"in capitals, without a head", "<HTML> <FRAMESET rows=1,*><FRAME>", "<HTML> [H][F]<FRAMESET rows=1,*><FRAME>"},
		{"once, before the outermost", "<frameset><frameset><frame></frameset>", "[H][F]<frameset><frameset><frame></frameset>"},
		{"not in a noscript", "<noscript><frameset></noscript><p>", "[H]<noscript><frameset></noscript>[B]<p>"},
		{"behind a noframes", "<noframes><p>x</noframes><frameset><frame>", "[H]<noframes><p>x</noframes>[F]<frameset><frame>"},
		{
			"before a script that may write one", "<script>w('<FRAMESET>')</script><noframes><body>",
			"[H][F]<script>w('<FRAMESET>')</script><noframes><body>",
		},
		{"in place of that of a body", "<script>w('<frameset>')</script><body>x", "[H][F]<script>w('<frameset>')</script><body>x"},
		{
			"not before other scripts", "<script>w(frameset)</script><script>'<frame>'</script><body>x",
			"[H]<script>w(frameset)</script><script>'<frame>'</script><body>[B]x",
		},
		{"not in a body", "<body>x<frameset><script>'<frameset>'</script>", "[H]<body>[B]x<frameset><script>'<frameset>'</script>"},
		{
			"not before a script in a noscript", "<noscript><script>'<frameset>'</script></noscript><p>",
			"[H]<noscript><script>'<frameset>'</script></noscript>[B]<p>",
		},
		{"before a script that is cut off, too", "<script>'<frameset>'", "[H][F]<script>'<frameset>'"},
		{
			"before a changed script", "<script nonce=x>'<frameset>'</script><a href=y>",
			"[H][F]<script _nonce=x>'<frameset>'</script><a href=@/dir/y>",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Head: []byte("[H]"), Banner: []byte("[B]"), FramesetBanner: func() []byte { return []byte("[F]") }, Resolve: relative}
			if got := run(t, HTML, tt.in, o); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestBannerReadsRightInEveryCharset(t *testing.T) {
	in := "<body>\x93x\x94"
	got := run(t, HTML, in, Options{Banner: []byte("‹é›"), Charset: "windows-1252"})
	if want := "<body>&#8249;&#233;&#8250;\x93x\x94"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDocumentsKeepTheirCharset(t *testing.T) {
	page := "<meta charset=x><a href='é?é'>日本</a>"
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(page)
	if err != nil {
		t.Fatal(err)
	}
	const jpPage = "<title>日本</title><a href='x'>語</a>"
	jp, err := japanese.ISO2022JP.NewEncoder().String(jpPage)
	if err != nil {
		t.Fatal(err)
	}
	want16, _ := unicode.UTF16(unicode.LittleEndian,
		unicode.UseBOM).NewEncoder().String("<meta charset=x><a href='@/dir/%C3%A9?%C3%A9'>日本</a>")
	wantJP, _ := japanese.ISO2022JP.NewEncoder().String("<title>日本</title><a href='@/dir/x'>語</a>")
	for _, tt := range []struct{ name, charset, in, want string }{
		{"UTF-16 by its byte order mark", "utf-8", utf16, want16},
		{"UTF-16 that is cut off within a character", "utf-8", utf16 + "x", want16 + "\xfd\xff"},
		{"ISO-2022-JP by its header", "ISO-2022-JP", jp, wantJP},
		{"ISO-2022-JP with a stray byte", "ISO-2022-JP", "\xff" + jp, "&#65533;" + wantJP},
		{
			"Latin-1 by its meta", "", "<meta charset=latin1><a href='\xe9?\xe9'>\xe9</a>",
			"<meta charset=latin1><a href='@/dir/%C3%A9?%E9'>\xe9</a>",
		},
		{
			"by a meta far down in the head", "", "<script>" + strings.Repeat(" ", 2000) + "</script><meta charset=koi8-r><a href='\xc1'>",
			"<script>" + strings.Repeat(" ", 2000) + "</script><meta charset=koi8-r><a href='@/dir/%D0%B0'>",
		},
		{"UTF-8 with a stray byte", "utf-8", "<a href=x>\xe9é</a>", "<a href=@/dir/x>\xe9é</a>"},
		{"a half of UTF-16 is let pass", "utf-16le", "<a href=x>", "<a href=x>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, HTML, tt.in, Options{Charset: tt.charset, Resolve: relative}); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The second bytes of 表, ソ and 功 are backslashes, the texts end in no character at all.
func TestCodeInCharsetsOfTwoBytesIsReadAsSuch(t *testing.T) {
	sjis, big5 := japanese.ShiftJIS, traditionalchinese.Big5
	for _, tt := range []struct {
		name     string
		f        func(io.Writer, io.Reader, Options) error
		enc      encoding.Encoding
		in, want string
	}{
		{"a script", JS, sjis, "x = '表'; 表 = 1; import('./a.js')", "x = '表'; 表 = 1; import('@/dir/a.js')"},
		{
			"modules", JS, sjis, "import './表.js'; import('./ソ.js')",
			"import '@/dir/%E8%A1%A8.js'; import('@/dir/%E3%82%BD.js')",
		},
		{"a style sheet", CSS, big5, `a{b:"功";c:url(功.png)}`, `a{b:"功";c:url(@/dir/%E5%8A%9F.png)}`},
		{"data", JSON, sjis, `["表","http://a.example/"]`, `["表","@http://a.example/"]`},
		{
			"a script in a page", HTML, sjis, "<script>x = '表'; y = 'top of page'; location = ''</script>",
			"<script>x = '表'; y = 'top of page'; _varve_.location = ''</script>",
		},
		{"a style sheet in a page", HTML, sjis, "<style>@import '表';</style>", "<style>@import '@/dir/%E8%A1%A8';</style>"},
		{
			"attributes", HTML, big5, `<a style="b:'功';c:url(x)" onclick="f('功');top.x">`,
			`<a style="b:'功';c:url(@/dir/x)" onclick="f('功');_varve_(top).x">`,
		},
	} {
		in, err := tt.enc.NewEncoder().String(tt.in)
		want, wantErr := tt.enc.NewEncoder().String(tt.want)
		if err != nil || wantErr != nil {
			t.Fatal(err, wantErr)
		}
		name, _ := htmlindex.Name(tt.enc)
		o := Options{Charset: name, Resolve: relative}
		if o.JS = tt.in[0] == '<'; o.JS {
			o.Head = []byte("<!---->")
		}
		if got := strings.TrimPrefix(run(t, tt.f, in+" \xff", o), "<!---->"); got != want+" \xff" { // no character of the charset
			t.Errorf("%s: got %q, want %q", tt.name, got, want)
		}
	}
}

func TestTokensThatAreTooLargePass(t *testing.T) {
	big := strings.Repeat("x", 16<<20+windowSize)
	for _, tt := range []struct{ name, before, end string }{
		{"a script", "<script>", "</script>"},
		{"a comment", "<!--", "-->"},
		{"an attribute", `<a title="`, `">`},
		{"a style sheet", "<style>", "</style>"},
		{"a title", "<title>", "<a title='</title>"},
		{"a field", "<textarea>", "<a title='</textarea>"},
		{"what old browsers show for a frame", "<iframe>", "<a title='</iframe>"},
		{"an example", "<xmp>", "<a title='</xmp>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := "<a href=a>" + tt.before + big + tt.end + "<a href=b>"
			got := run(t, HTML, in, Options{Resolve: relative})
			want := "<a href=@/dir/a>" + tt.before + big + tt.end + "<a href=@/dir/b>"
			if got != want {
				t.Errorf("%d bytes that begin with %.40q and end in %q", len(got), got, got[len(got)-40:])
			}
		})
	}
}

func TestEachWindowAsksOnce(t *testing.T) {
	calls := 0
	count := func(refs []uses.Ref) []string {
		calls++
		return nothing(refs)
	}
	run(t, HTML, strings.Repeat("<a href=x>y</a>", 1000), Options{Resolve: count})
	if calls != 1 {
		t.Errorf("a small page asked %d times", calls)
	}
}

func TestWhatWasReadBeforeAnErrorIsWritten(t *testing.T) {
	broken := errors.New("broken")
	for _, f := range []rewriter{HTML, CSS, JS, JSON, XML, HLS} {
		var out bytes.Buffer
		err := f(&out, io.MultiReader(strings.NewReader("<a href=x>"), iotest.ErrReader(broken)),
			Options{Base: "http://example.com/", Resolve: nothing})
		if !errors.Is(err, broken) || out.String() != "<a href=x>" {
			t.Errorf("got %q and %v", out.String(), err)
		}
	}
}

func TestAWritersErrorEndsIt(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	for _, f := range []rewriter{HTML, CSS, JS, JSON, XML, HLS} {
		if err := f(w, strings.NewReader("<a href=x>"), Options{Resolve: nothing}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v", err)
		}
	}
}

func TestALateBannerKnowsWhatWasResolved(t *testing.T) {
	var found int
	o := Options{
		Base: "http://example.com/", LateBanner: func() []byte { return fmt.Appendf(nil, "[%d é]", found) },
		Resolve: func(refs []uses.Ref) []string { found += len(refs); return make([]string, len(refs)) },
	}
	var out bytes.Buffer
	if err := HTML(&out, strings.NewReader("<title>t</title><body><a href=/1>1</a><img src=/2>"), o); err != nil {
		t.Fatal(err)
	}
	if want := "<title>t</title><body>[2 &#233;]<a href=/1>1</a><img src=/2>"; out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}
