package replay_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A slowServer holds back or breaks off the answers that a test chooses, and remembers which pairs were asked for.
type slowServer struct {
	http.Handler

	mu     sync.Mutex
	held   map[string]chan struct{} // by index: answered when closed
	broken map[string]bool
	asked  []string
}

func (s *slowServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if index := r.URL.Query().Get("index"); index != "" {
		s.mu.Lock()
		s.asked = append(s.asked, index)
		hold, broken := s.held[index], s.broken[index]
		s.mu.Unlock()
		if broken {
			panic(http.ErrAbortHandler)
		}
		if hold != nil {
			<-hold
		}
	}
	s.Handler.ServeHTTP(w, r)
}

func (s *slowServer) questions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.asked...)
}

// fortyVersions is a page of 40 versions: "smog" comes with the tenth and goes with the thirtieth.
func fortyVersions() []record {
	var life []record
	for i := range 40 {
		words := "Clean air"
		if i >= 10 && i < 30 {
			words = "Smog"
		}
		life = append(life, record{monthly(i), slidingPage, 200, "", paragraphs(words+" is here.", fmt.Sprintf("This is version %d.", i))})
	}
	return life
}

// slidingReader is a reader of fortyVersions and the server between.
func slidingReader(t *testing.T) (*reader, *slowServer) {
	t.Helper()
	s, _ := serverOf(t, write(t, fortyVersions()))
	slow := &slowServer{Handler: s.Handler(), held: map[string]chan struct{}{}, broken: map[string]bool{}}
	return readerOf(t, slow), slow
}

// byText is the address of the slider over versions by text: numbers alone are no change of content.
func byText(params ...string) string { return slidingURI(append(params, "level", "text")...) }

// pairShown is JavaScript that is true where pair i, from 0, is shown in every place that says so.
func pairShown(i int) string {
	return fmt.Sprintf(`document.getElementById("pair").dataset.index === "%d" && document.querySelector("[type=range]").value === "%d" &&
		document.querySelector("[type=range]").getAttribute("aria-valuetext").startsWith("Change %d of 39, ") &&
		document.getElementById("where").textContent.startsWith("Change %d of 39, ") &&
		document.querySelector("#pair del").textContent.includes("%d") && document.querySelector("#pair ins").textContent.includes("%d") &&
		location.search.includes("at=%s") && !document.getElementById("slider").hasAttribute("aria-busy")`, i, i, i+1, i+1, i, i+1, monthly(i))
}

// newestShown is JavaScript that is true once the newest pair is shown and the slider works, whatever the address.
const newestShown = `document.getElementById("pair").dataset.index === "38" && document.querySelector("[type=range]").offsetHeight > 10`

func (b *reader) press(keys string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.KeyEvent(keys)); err != nil {
		b.t.Fatal(err)
	}
}

// slide moves the slider as a hand does that passes over places on its way.
func (b *reader) slide(places ...int) {
	b.t.Helper()
	b.eval(fmt.Sprintf(`((r) => { for (const v of %s) { r.value = v; r.dispatchEvent(new Event("input", { bubbles: true })); } return "" })(document.querySelector("[type=range]"))`,
		strings.ReplaceAll(fmt.Sprint(places), " ", ",")))
}

func TestSliderByKeyboard(t *testing.T) {
	b, _ := slidingReader(t)
	b.open(byText())
	b.see(newestShown)
	b.eval(`document.querySelector("[type=range]").focus(), ""`)
	b.press(kb.ArrowLeft)
	b.see(pairShown(37))
	b.see(`document.getElementById("said").textContent === "1 word deleted, 1 word added, 80% alike"`)
	b.press(kb.Home)
	b.see(pairShown(0))
	b.see(`!document.querySelector("#steps a[rel=prev]") && document.querySelector("#steps a[rel=next]")`)
	b.press(kb.ArrowRight + kb.ArrowRight + kb.ArrowRight)
	b.see(pairShown(3))
	b.press(kb.End)
	b.see(pairShown(38))

	b.eval(`document.activeElement.blur(), ""`)
	b.press(kb.ArrowLeft)
	b.see(pairShown(37))
	b.eval(`document.querySelector("[name=term]").focus(), ""`)
	b.press(kb.ArrowLeft + "np")
	b.see(pairShown(37) + ` && document.querySelector("[name=term]").value === "np"`)
}

func TestSliderGoesFromChangeToChangeOfATerm(t *testing.T) {
	b, _ := slidingReader(t)
	b.open(byText("term", "smog"))
	b.see(`document.getElementById("pair").dataset.index === "29" && document.querySelector("del mark").textContent === "Smog"`)
	b.eval(`document.querySelector("[type=range]").focus(), ""`)
	b.press("p")
	b.see(`document.getElementById("pair").dataset.index === "9" && document.querySelector("ins mark").textContent === "Smog"`)
	b.see(`document.getElementById("said").textContent.includes("“smog”: 0 times before, 1 time after")`)
	b.press("p") // there is none
	b.press("n")
	b.see(`document.getElementById("pair").dataset.index === "29" && location.search.includes("term=smog")`)
}

func TestSliderIsLinkedTo(t *testing.T) {
	b, _ := slidingReader(t)
	b.open(byText("at", monthly(12)))
	b.see(pairShown(12))
	b.slide(20)
	b.see(pairShown(20))
	if err := chromedp.Do(b.ctx, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	b.see(pairShown(20))

	b.open(byText("from", monthly(4), "to", monthly(5)))
	b.click(button("All versions on a slider"))
	b.see(pairShown(4))
	b.open("/web/*/" + slidingPage)
	b.click(button("40 by text"))
	b.see(newestShown)
	b.click(button("3 versions by content"))
	b.see(`document.getElementById("pair").dataset.pairs === "2"`)
}

// The links stay where they were, and so does the focus.
func TestSlidersLinksKeepTheFocus(t *testing.T) {
	b, slow := slidingReader(t)
	b.open(byText("at", monthly(36)))
	b.see(pairShown(36))
	b.eval(`window.stays = true, document.querySelector("#steps a[rel=next]").focus(), ""`)
	b.press(kb.Enter)
	b.see(pairShown(37) + ` && document.activeElement === document.querySelector("#steps a[rel=next]")`)
	b.see(`document.getElementById("said").textContent.startsWith("Change 38 of 39, ")`)
	b.press(kb.Enter)
	b.see(pairShown(38) + ` && document.activeElement === document.querySelector("[type=range]")`)
	b.click(`document.querySelector("main > .pager a[rel=first]")`)
	b.see(pairShown(0) + ` && window.stays`)
	if asked := slow.questions(); len(asked) != 0 {
		t.Errorf("links lead to the numbers %v, which change while captures arrive", asked)
	}
}

func TestSliderAsksForTheLastPlaceOnly(t *testing.T) {
	b, slow := slidingReader(t)
	b.open(byText())
	b.see(newestShown)
	b.slide(30, 29, 25, 20, 14, 9, 8, 7)
	b.see(pairShown(7))
	if asked := slow.questions(); len(asked) != 1 || asked[0] != "7" {
		t.Errorf("the pairs %v were asked for, want 7 alone", asked)
	}
}

func TestSliderDropsAnswersThatComeTooLate(t *testing.T) {
	b, slow := slidingReader(t)
	hold := make(chan struct{})
	slow.held["5"], slow.broken["8"] = hold, true
	b.open(byText())
	b.see(newestShown)
	b.slide(5)
	b.see(`document.getElementById("slider").getAttribute("aria-busy") === "true"`)
	b.slide(20)
	b.see(pairShown(20))
	close(hold)
	again := `fetch(` + strconv.Quote(byText("index", "5")) + `).then((a) => a.ok)` // by then the held one has been answered too
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](again, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	b.see(pairShown(20))

	b.slide(8)
	b.see(`document.getElementById("said").textContent.startsWith("The server did not answer.") && document.getElementById("said").offsetHeight > 10`)
	b.slide(12)
	b.see(pairShown(12) + ` && document.getElementById("said").offsetHeight <= 1`)
}

func TestSliderWithoutScript(t *testing.T) {
	b, _ := slidingReader(t)
	off := chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
	if err := chromedp.Do(b.ctx, off); err != nil {
		t.Fatal(err)
	}
	shown := func(i int) string { return fmt.Sprintf(`document.getElementById("pair").dataset.index === "%d"`, i) }
	b.open(byText("term", "smog"))
	b.see(shown(29) + ` && document.querySelector("[type=range]").offsetHeight === 0 && document.querySelector(".keys").offsetHeight === 0`)
	for _, step := range []struct {
		words string
		index int
	}{{"first change", 0}, {"later change", 1}, {"later change of “smog”", 9}, {"earlier change", 8}, {"last change", 38}, {"1991", 11}} {
		b.click(button(step.words))
		b.see(shown(step.index) + ` && document.readyState === "complete"`)
	}
	b.eval(`document.querySelector("[name=term]").value = '"version 5"', document.querySelector(".search button").click(), ""`)
	b.see(shown(5))
}
