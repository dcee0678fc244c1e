package visible

import (
	"bytes"
	"strings"
	"testing"
)

// path is the address of a path.
func pathOf(p string) Address { return addressOfURL([]byte("https://h.example/" + p)) }

var addressTests = []struct {
	name, page string
	want       Address
}{
	{"none", `<title>Rules</title>`, Unnamed},
	{"a canonical link", `<link rel="canonical" href="https://h.example/rules">`, pathOf("rules")},
	{"its attributes the other way round", `<LINK HREF='https://h.example/rules' REL='canonical' />`, pathOf("rules")},
	{"without quotes", `<link rel=canonical href=https://h.example/rules data-x=y>`, pathOf("rules")},
	{"without quotes, at the end of the tag", `<link rel=canonical href=https://h.example/rules>`, pathOf("rules")},
	{"a space before its value", `<link rel=canonical href= https://h.example/rules>`, pathOf("rules")},
	{"spaces before its quotes", "<link rel=canonical href=\n 'https://h.example/rules'>", pathOf("rules")},
	{"spaces alone", "<link rel=canonical href=\n >", Unnamed},
	{"only og:url", `<meta property="og:url" content="https://h.example/rules">`, pathOf("rules")},
	{
		"both", `<meta property="og:url" content="https://h.example/a"><link rel="canonical" href="https://h.example/rules">`,
		pathOf("rules"),
	},
	{"http, www, a slash, a query, a fragment, capitals", `<link rel=canonical href="HTTP://www.h.example/Rules/?a=b#c">`, pathOf("rules")},
	{"the front page", `<link rel=canonical href="https://h.example">`, Front},
	{"the front page with a slash", `<link rel=canonical href="https://h.example/">`, Front},
	{"the front page in a language", `<link rel=canonical href="https://h.example/en/">`, Front},
	{"the front page in a language of a country", `<link rel=canonical href="https://h.example/pt-BR">`, Front},
	{"a page with two letters and a page in it", `<link rel=canonical href="https://h.example/en/rules">`, pathOf("en/rules")},
	{"without a scheme", `<link rel=canonical href="//h.example/rules">`, pathOf("rules")},
	{"a path alone", `<link rel=canonical href="/rules">`, Unnamed},
	{"nothing", `<link rel=canonical href="">`, Unnamed},
	{"no value", `<link rel=canonical>`, Unnamed},
	{"the word in a text", `<p>The canonical href="https://h.example/no"</p>`, Unnamed},
	{"the word in a script first", `<script>var canonical=1</script><link rel=canonical href="https://h.example/rules">`, pathOf("rules")},
	{"a tag that nobody ends", `<link rel=canonical href="https://h.example/rules"`, Unnamed},
}

func TestPagesNameTheirAddress(t *testing.T) {
	for _, test := range addressTests {
		if got := addressOf([]byte(test.page)); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
	if pathOf("rules") < Named || pathOf("rules") == pathOf("imprint") {
		t.Error("two paths are one address")
	}
	far := strings.Repeat(" ", 32<<10) + `<link rel=canonical href="https://h.example/rules">`
	if addressOf([]byte(far)) != Unnamed || addressOf([]byte(far[200:])) == Unnamed {
		t.Errorf("looked further or less far than 32 KiB")
	}
	var many bytes.Buffer
	for range 4 {
		many.WriteString(`<p>canonical</p>`)
	}
	many.WriteString(`<link rel=canonical href="https://h.example/rules">`)
	if addressOf(many.Bytes()) != Unnamed || addressOf(many.Bytes()[len(`<p>canonical</p>`):]) == Unnamed {
		t.Errorf("looked at more or fewer than 4")
	}
}

func FuzzAddress(f *testing.F) {
	for _, test := range addressTests {
		f.Add([]byte(test.page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		a := addressOf(page)
		if a != Unnamed && a != Front && a < Named {
			t.Errorf("%q: address %d", page, a)
		}
		if alone := addressOf(append([]byte("<p>text</p>"), page...)); len(page) < 16<<10 && a != Unnamed && alone != a {
			t.Errorf("%q: %d, with a text before it %d", page, a, alone)
		}
	})
}

func TestEdgesOfAddresses(t *testing.T) {
	page := func(before, within int) string {
		return strings.Repeat("<p>canonical</p>", before) + "<link rel=canonical " + strings.Repeat("x", within) +
			" href=https://h.example/rules>"
	}
	for _, test := range []struct {
		name string
		page string
		want bool
	}{
		{"the fourth", page(3, 1), true},
		{"the fifth", page(4, 1), false},
		{"a long element", page(0, 4000), true},
		{"a longer one", page(0, 4100), false},
		{"at 30 KB", strings.Repeat(" ", 30<<10) + page(0, 1), true},
		{"at 32 KB", strings.Repeat(" ", 32<<10) + page(0, 1), false},
	} {
		if got := addressOf([]byte(test.page)) != Unnamed; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
