package render

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var (
	//go:embed before.js
	beforeScript string
	//go:embed page.js
	pageScript string
)

// world is the name of the isolated world in which page.js runs.
const world = "varve"

// expression returns a script without the comment above it.
func expression(script string) string {
	return strings.TrimSpace(script[strings.Index(script, "\n(")+1:])
}

// call calls a function of page.js. result may be nil.
func (t *tab) call(result any, name string, args ...any) error {
	var list []string
	for _, a := range args {
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		list = append(list, string(text))
	}
	return t.evaluate(result, fmt.Sprintf("(%s).%s(%s)", expression(pageScript), name, strings.Join(list, ", ")))
}

// evaluate evaluates an expression in the page. result may be nil.
func (t *tab) evaluate(result any, expression string) error {
	in, err := chromedp.Call(t.ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: t.frame(), WorldName: world})
	if err != nil {
		return err
	}
	yes := true
	got, err := chromedp.Call(t.ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: in.ExecutionContextID, ReturnByValue: &yes, AwaitPromise: &yes, Silent: &yes,
	})
	switch {
	case err != nil:
		return err
	case got.ExceptionDetails != nil:
		text := got.ExceptionDetails.Text
		if e := got.ExceptionDetails.Exception; e != nil && e.Description != "" {
			text = e.Description
		}
		return errors.New("reading the page: " + text)
	case result == nil:
		return nil
	}
	return json.Unmarshal(got.Result.Value, result)
}
