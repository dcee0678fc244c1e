package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

//go:embed page.js
var script string

// world is the name of the isolated world in which the crawl's scripts run.
const world = "varve"

// maxFrames is the largest number of frames that are read in a page.
const maxFrames = 100

// call calls a function of page.js in a frame. result may be nil.
func (t *tab) call(ctx context.Context, frame cdp.FrameID, result any, name string, args ...any) error {
	in, err := chromedp.Call(ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: world})
	if err != nil {
		return err
	}
	var list []string
	for _, a := range args {
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		list = append(list, string(text))
	}
	yes := true
	got, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: fmt.Sprintf("(%s).%s(%s)", withoutComment(script), name, strings.Join(list, ", ")), ContextID: in.ExecutionContextID,
		ReturnByValue: &yes, UserGesture: &yes, Silent: &yes,
	})
	switch {
	case err != nil:
		return err
	case got.ExceptionDetails != nil:
		return errors.New(messageOf(got.ExceptionDetails))
	case result == nil:
		return nil
	}
	return json.Unmarshal(got.Result.Value, result)
}

// withoutComment returns the script from its first bracket.
func withoutComment(text string) string {
	return strings.TrimSuffix(strings.TrimSpace(text[strings.Index(text, "({")+1:]), ")")
}

// messageOf returns the message of an exception as one line.
func messageOf(e *runtime.ExceptionDetails) string {
	text := e.Text
	if e.Exception != nil && e.Exception.Description != "" {
		text = e.Exception.Description
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// frames returns the frames of the page, the outer ones first.
func (t *tab) frames(ctx context.Context) (found []*cdp.Frame, err error) {
	res, err := chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	for level := []*page.FrameTree{res.FrameTree}; len(level) > 0; {
		var next []*page.FrameTree
		for _, f := range level {
			if len(found) < maxFrames {
				found = append(found, f.Frame)
			}
			next = append(next, f.ChildFrames...)
		}
		level = next
	}
	return found, nil
}

// trusted returns the frames of a page into which may be written, with their true origins. There are none if the page itself isn't
// trusted. A frame without an origin, such as a sandboxed one, isn't trusted whatever its address.
func (t *tab) trusted(ctx context.Context, frames []*cdp.Frame) (found []*cdp.Frame) {
	trusts := t.visit.Trusts
	if trusts == nil || len(frames) == 0 || !trusts(frames[0].URL) {
		return nil
	}
	for i, f := range frames {
		f.SecurityOrigin = "" // the browser says what would go with its address
		err := t.call(ctx, f.ID, &f.SecurityOrigin, "origin")
		if err != nil || !strings.HasPrefix(f.SecurityOrigin, "http") {
			continue
		}
		if i == 0 || f.SecurityOrigin == frames[0].SecurityOrigin || trusts(f.SecurityOrigin+"/") {
			found = append(found, f)
		}
	}
	return found
}

// content is what page.js returns about a document.
type content struct {
	Type, URL, Base, HTML string
	Links                 []string
}

// read reads the resulting documents.
func (t *tab) read(shown *Shown) error {
	ctx, cancel := context.WithTimeout(t.ctx, t.wait)
	defer cancel()
	frames, err := t.frames(ctx)
	if err != nil {
		return t.ctx.Err() // a busy page doesn't answer
	}
	left := t.limit // for all frames together, since a page may have many
	for i, frame := range frames {
		if left <= 0 {
			break
		}
		var c content
		err := t.call(ctx, frame.ID, &c, "content", left)
		if i == 0 && (err != nil || !isHTML(c.Type)) {
			return t.ctx.Err()
		}
		if err != nil || !isHTML(c.Type) { // the frame may have been removed meanwhile
			continue
		}
		if !strings.HasPrefix(c.URL, "http") { // what a script wrote belongs to where it wrote
			c.URL = c.Base
		}
		c.URL, _, _ = strings.Cut(c.URL, "#")
		left -= len(c.HTML)
		for _, l := range c.Links {
			left -= len(l)
		}
		shown.Frames = append(shown.Frames, Frame{URL: c.URL, HTML: c.HTML, Links: c.Links})
	}
	return nil
}

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}
