package comparison_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/varve-archive/varve/replay/replaytest"
)

// A slowServer delays or aborts the answers that a test chooses, and records which pairs were requested.
type slowServer struct {
	http.Handler

	mu     sync.Mutex
	held   map[string]chan struct{} // by index; answered when closed
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

// fortyVersions is a page of 40 versions. "smog" arrives with the tenth and disappears with the thirtieth.
func fortyVersions() []replaytest.Record {
	var life []replaytest.Record
	for i := range 40 {
		words := "Clean air"
		if i >= 10 && i < 30 {
			words = "Smog"
		}
		life = append(life, replaytest.Record{
			Date: monthly(i), URI: slidingPage, Status: 200, Location: "",
			Body: replaytest.Paragraphs(words+" is here.", fmt.Sprintf("This is version %d.", i)),
		})
	}
	return life
}

// slidingReader returns a reader of fortyVersions, and the server in between.
func slidingReader(t *testing.T) (*replaytest.Reader, *slowServer) {
	t.Helper()
	s, _ := replaytest.Serve(t, replaytest.Write(t, fortyVersions()))
	slow := &slowServer{Handler: s.Handler(), held: map[string]chan struct{}{}, broken: map[string]bool{}}
	return replaytest.ReaderOf(t, slow), slow
}

// byText returns the address of the slider over versions by text: numbers alone are no change of content.
func byText(params ...string) string { return slidingURI(append(params, "level", "text")...) }

// pairShown is JavaScript that is true if every place that names the pair shows pair i, from 0.
func pairShown(i int) string {
	return fmt.Sprintf(`document.getElementById("pair").dataset.index === "%d" && document.querySelector("[type=range]").value === "%d" &&
		document.querySelector("[type=range]").getAttribute("aria-valuetext").startsWith("Change %d of 39, ") &&
		document.getElementById("where").textContent.startsWith("Change %d of 39, ") &&
		document.querySelector("#pair del").textContent.includes("%d") && document.querySelector("#pair ins").textContent.includes("%d") &&
		location.search.includes("at=%s") && !document.getElementById("slider").hasAttribute("aria-busy")`, i, i, i+1, i+1, i, i+1, monthly(i))
}

// newestShown is JavaScript that is true once the newest pair is shown and the slider works, whatever the address.
const newestShown = `document.getElementById("pair").dataset.index === "38" && document.querySelector("[type=range]").offsetHeight > 10`

func TestSliderByKeyboard(t *testing.T) {
	b, _ := slidingReader(t)
	b.Open(byText())
	b.See(newestShown)
	b.Eval(`document.querySelector("[type=range]").focus(), ""`)
	b.Press(kb.ArrowLeft)
	b.See(pairShown(37))
	b.See(`document.getElementById("said").textContent === "1 word deleted, 1 word added, 80% alike"`)
	b.Press(kb.Home)
	b.See(pairShown(0))
	b.See(`!document.querySelector("#steps a[rel=prev]") && document.querySelector("#steps a[rel=next]")`)
	b.Press(kb.ArrowRight + kb.ArrowRight + kb.ArrowRight)
	b.See(pairShown(3))
	b.Press(kb.End)
	b.See(pairShown(38))

	b.Eval(`document.activeElement.blur(), ""`)
	b.Press(kb.ArrowLeft)
	b.See(pairShown(37))
	b.Eval(`document.querySelector("[name=term]").focus(), ""`)
	b.Press(kb.ArrowLeft + "np")
	b.See(pairShown(37) + ` && document.querySelector("[name=term]").value === "np"`)
}

func TestSliderGoesFromChangeToChangeOfATerm(t *testing.T) {
	b, _ := slidingReader(t)
	b.Open(byText("term", "smog"))
	b.See(`document.getElementById("pair").dataset.index === "29" && document.querySelector("del mark").textContent === "Smog"`)
	b.Eval(`document.querySelector("[type=range]").focus(), ""`)
	b.Press("p")
	b.See(`document.getElementById("pair").dataset.index === "9" && document.querySelector("ins mark").textContent === "Smog"`)
	b.See(`document.getElementById("said").textContent.includes("“smog”: 0 times before, 1 time after")`)
	b.Press("p") // there is no previous change
	b.Press("n")
	b.See(`document.getElementById("pair").dataset.index === "29" && location.search.includes("term=smog")`)
}

func TestSliderIsLinkedTo(t *testing.T) {
	b, _ := slidingReader(t)
	b.Open(byText("at", monthly(12)))
	b.See(pairShown(12))
	b.Slide(20)
	b.See(pairShown(20))
	if err := chromedp.Do(b.Ctx, chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	b.See(pairShown(20))

	b.Open(byText("from", monthly(4), "to", monthly(5)))
	b.Click(replaytest.Button("All versions on a slider"))
	b.See(pairShown(4))
	b.Open("/web/*/" + slidingPage)
	b.Click(replaytest.Button("40 by text"))
	b.See(`location.search.startsWith("?level=text&") && document.readyState === "complete"`)
	b.Click(replaytest.Button("All versions on a slider"))
	b.See(newestShown)
	b.Click(replaytest.Button("3 versions by content"))
	b.See(`document.getElementById("pair").dataset.pairs === "2"`)
}

// The links must stay where they were, and so must the focus.
func TestSliderLinksKeepTheFocus(t *testing.T) {
	b, slow := slidingReader(t)
	b.Open(byText("at", monthly(36)))
	b.See(pairShown(36))
	b.Eval(`window.stays = true, document.querySelector("#steps a[rel=next]").focus(), ""`)
	b.Press(kb.Enter)
	b.See(pairShown(37) + ` && document.activeElement === document.querySelector("#steps a[rel=next]")`)
	b.See(`document.getElementById("said").textContent.startsWith("Change 38 of 39, ")`)
	b.Press(kb.Enter)
	b.See(pairShown(38) + ` && document.activeElement === document.querySelector("[type=range]")`)
	b.Click(`document.querySelector("main > .pager a[rel=first]")`)
	b.See(pairShown(0) + ` && window.stays`)
	if asked := slow.questions(); len(asked) != 0 {
		t.Errorf("links lead to the numbers %v, which change while captures arrive", asked)
	}
}

func TestSliderRequestsOnlyTheLastPlace(t *testing.T) {
	b, slow := slidingReader(t)
	b.Open(byText())
	b.See(newestShown)
	b.Slide(30, 29, 25, 20, 14, 9, 8, 7)
	b.See(pairShown(7))
	if asked := slow.questions(); len(asked) != 1 || asked[0] != "7" {
		t.Errorf("the pairs %v were asked for, want 7 alone", asked)
	}
}

func TestSliderDropsLateAnswers(t *testing.T) {
	b, slow := slidingReader(t)
	hold := make(chan struct{})
	slow.held["5"], slow.broken["8"] = hold, true
	b.Open(byText())
	b.See(newestShown)
	b.Slide(5)
	b.See(`document.getElementById("slider").getAttribute("aria-busy") === "true"`)
	b.Slide(20)
	b.See(pairShown(20))
	close(hold)
	again := `fetch(` + strconv.Quote(byText("index", "5")) + `).then((a) => a.ok)` // by then the delayed one has been answered too
	if _, err := chromedp.Run(b.Ctx, chromedp.Evaluate[bool](again, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	b.See(pairShown(20))

	b.Slide(8)
	b.See(`document.getElementById("said").textContent.startsWith("The server did not answer.") && ` +
		`document.getElementById("said").offsetHeight > 10`)
	b.Slide(12)
	b.See(pairShown(12) + ` && document.getElementById("said").offsetHeight <= 1`)
}

func TestSliderWithoutScript(t *testing.T) {
	b, _ := slidingReader(t)
	off := chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
	if err := chromedp.Do(b.Ctx, off); err != nil {
		t.Fatal(err)
	}
	shown := func(i int) string { return fmt.Sprintf(`document.getElementById("pair").dataset.index === "%d"`, i) }
	b.Open(byText("term", "smog"))
	b.See(shown(29) + ` && document.querySelector("[type=range]").offsetHeight === 0 && document.querySelector(".keys").offsetHeight === 0`)
	for _, step := range []struct {
		words string
		index int
	}{{"first change", 0}, {"later change", 1}, {"later change of “smog”", 9}, {"earlier change", 8}, {"last change", 38}, {"1991", 11}} {
		b.Click(replaytest.Button(step.words))
		b.See(shown(step.index) + ` && document.readyState === "complete"`)
	}
	b.Eval(`document.querySelector("[name=term]").value = '"version 5"', document.querySelector(".search button").click(), ""`)
	b.See(shown(5))
}
