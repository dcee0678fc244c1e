package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// addressed puts the address a page calls itself into its head.
func addressed(path, page string) string {
	return strings.Replace(page, "<head>", `<head><link rel="canonical" href="https://harbour.example/`+path+`">`, 1)
}

// A shop is another text than the agreement, with a sentence long enough to be read.
const shop = `<!doctype html><html><head><title>Harbour shop</title></head><body><div><h1>Ropes, flags and lamps</h1>
<p>Everything that a boat needs and a sailor wants, from the chandler on the quay, who has been there since the old lighthouse burned.</p>
<p>Open from spring to autumn, when the wind allows.</p></div></body></html>`

const labels = `<!doctype html><html><head><title>Rules</title></head><body><div><ul><li>Download<li>About<li>Help<li>Careers` +
	`<li>Blog<li>Stories<li>Follow us<li>Close</ul></div></body></html>`

// amended is the agreement as it was amended while nobody looked.
var amended = strings.NewReplacer("14 days", "21 days", "20 crowns", "30 crowns").Replace(agreement)

// rewritten is one that says the same in other words.
var rewritten = strings.NewReplacer(" the ", " our ", " and ", " or ", " a ", " one ", " in ", " by ", " of ", " from ").Replace(agreement)

var interludeTests = []struct {
	name  string
	pages []string
	want  []string
}{
	{
		"another text for once may be the page's",
		[]string{rules("", ""), shop, rules("", "")},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"another text for once that calls itself otherwise is not",
		[]string{addressed("rules", rules("", "")), addressed("shop", shop), addressed("rules", rules("", ""))},
		[]string{"0-2/3 page 200"},
	},
	{
		"also where the page says no address",
		[]string{rules("", ""), addressed("shop", shop), rules("", "")},
		[]string{"0-2/3 page 200"},
	},
	{
		"another text under the address of the page may be its own",
		[]string{addressed("rules", rules("", "")), addressed("rules", shop), addressed("rules", rules("", ""))},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"another address before and after is no sign",
		[]string{addressed("rules", rules("", "")), addressed("shop", shop), addressed("shop", rules("", ""))},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"the same text under another address is the page",
		[]string{addressed("rules", rules("", "")), addressed("rules-2", rules("", "")), addressed("rules", rules("", ""))},
		[]string{"0-2/3 page 200"},
	},
	{
		"a page that was amended meanwhile changes once, where it is seen again",
		[]string{rules("", ""), addressed("shop", shop), pageOf("Rules", "", amended, "")},
		[]string{"0-0/2 page 200", "2-2/1 page 200"},
	},
	{
		"several in a row",
		[]string{rules("", ""), addressed("shop", shop), labels, addressed("in", door), rules("", "")},
		[]string{"0-4/5 page 200"},
	},
	{"labels and nothing to read", []string{rules("", ""), labels, rules("", "")}, []string{"0-2/3 page 200"}},
	{
		"labels in the place of a page of labels",
		[]string{`<p>Boats<p>Oars`, labels, `<p>Boats<p>Oars`},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"a few labels may say what there is to say",
		[]string{rules("", ""), `<p>The rules are withdrawn<p>The keeper`, rules("", "")},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"labels of a menu beside them",
		[]string{rules("", ""), `<nav>` + labels + `</nav><p>The rules are withdrawn<p>The keeper`, rules("", "")},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},
	{
		"labels that stay",
		[]string{rules("", ""), labels, labels},
		[]string{"0-0/1 page 200", "1-2/2 page 200"},
	},
	{
		"a text as long is the page's",
		[]string{rules("", ""), addressed("shop", pageOf("Shop", "", strings.Repeat(shop, 4), "")), rules("", "")},
		[]string{"0-0/1 page 200", "1-1/1 page 200", "2-2/1 page 200"},
	},

	{
		"the front page in the place of the page",
		[]string{addressed("rules", rules("", "")), addressed("", shop), addressed("en", shop+"<p>New lamps have come")},
		[]string{"0-0/1 page 200", "1-2/2 missing 200 soft"},
	},
	{
		"until the page is back with another text",
		[]string{addressed("rules", rules("", "")), addressed("", shop), addressed("rules", pageOf("Rules", "", rewritten, ""))},
		[]string{"0-0/1 page 200", "1-1/1 missing 200 soft", "2-2/1 page 200"},
	},
	{
		"a page that never said its address may be the front page, made anew",
		[]string{rules("", ""), addressed("", shop)},
		[]string{"0-0/1 page 200", "1-1/1 page 200"},
	},
	{
		"the front page of a front page",
		[]string{addressed("", rules("", "")), addressed("", shop)},
		[]string{"0-0/1 page 200", "1-1/1 page 200"},
	},
	{
		"a page whose address is wrong from a day on",
		[]string{addressed("rules", rules("", "")), addressed("", rules("", "<p>Signed: the keeper</p>"))},
		[]string{"0-0/1 page 200", "1-1/1 page 200"},
	},
}

func TestInterludes(t *testing.T) {
	for _, test := range interludeTests {
		t.Run(test.name, func(t *testing.T) {
			s := shelf{}
			got, err := Ranges(LevelContent, pagesOf(s, test.pages...), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, lines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatAnInterludeHidesIsFoundInTheText(t *testing.T) {
	s := shelf{}
	states := pagesOf(s, rules("", ""), labels, rules("", ""))
	got, err := Ranges(LevelText, states, s, nil)
	if err != nil || len(got) != 3 {
		t.Errorf("%q (%v)", lines(got), err)
	}
}
