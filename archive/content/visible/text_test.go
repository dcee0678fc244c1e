package visible

import "testing"

// A page leads on if it names another page, and soon.
func TestForwards(t *testing.T) {
	for head, want := range map[string]bool{
		`<meta http-equiv=refresh content="0;url=/b">`:                                                 true,
		`<META HTTP-EQUIV="Refresh" CONTENT="5; URL='http://a.example/b'">`:                            true,
		`<meta content="1; url=/b" http-equiv='refresh'>`:                                              true,
		`<meta http-equiv=content-type content=text/html><meta http-equiv=refresh content="0;url=/b">`: true,
		`<meta http-equiv=refresh content="6;url=/b">`:                                                 false,
		`<meta http-equiv=refresh content="15;url=/b">`:                                                false,
		`<meta http-equiv=refresh content="0">`:                                                        false,
		`<meta http-equiv=refresh content="0;url=">`:                                                   false,
		`<meta http-equiv=content-location content="0;url=/b">`:                                        false,
		`<meta name=refresh content="0;url=/b">`:                                                       false,
	} {
		if got := new(Extractor).Extract([]byte(head+"<p>Moved"), "text/html").Forwards; got != want {
			t.Errorf("%s: %v", head, got)
		}
	}
}

// Texts have the same ID if they say the same in the same places.
func TestIDsOfTexts(t *testing.T) {
	ids := map[uint64]string{}
	for _, page := range []string{
		"", "<p>a b", "<p>a c", "<p>a<p>b", "<h1>a b</h1>", "<nav>a b</nav>", "<p class=x>a b", "<ul><li><p>a<p>b</ul>",
		`<meta http-equiv=refresh content="0;url=/b"><p>a b`,
	} {
		text := new(Extractor).Extract([]byte(page), "text/html")
		same := new(Extractor).Extract([]byte(page+"<script>x()</script>"), "text/html")
		if other, ok := ids[text.ID()]; ok || text.ID() == 0 || same.ID() != text.ID() {
			t.Errorf("%q has the ID of %q, or another with a script", page, other)
		}
		ids[text.ID()] = page
		if text.Size() != len(text.String()) {
			t.Errorf("%q: %d bytes, want those of %q", page, text.Size(), text.String())
		}
	}
}

func TestBlocksThatMayName(t *testing.T) {
	text := new(Extractor).Extract([]byte("<title>one</title><h1>two</h1><h2>three</h2><h3>four</h3><p>five"), "text/html")
	for i := range text.Blocks {
		if b := &text.Blocks[i]; b.MayName() != (i < 3) {
			t.Errorf("%q: %v", b.Text, b.MayName())
		}
	}
}
