// Package searchtest tests engines of the search: it has a suite that every engine passes, and an invented archive for it.
package searchtest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/cdx"
)

// A Version is the text of a page from a day on.
type Version struct {
	Day     int // in January 2020, from 1; each 1000 more is another year later
	Text    string
	Title   string
	MIME    string // "" is text/html
	Status  int    // 0 is 200
	Missing bool
	Fields  fields.Values
	Links   []search.Link
}

// An Archive is an invented archive. It implements [search.Archive].
type Archive struct {
	mu      sync.Mutex
	pages   map[string][]Version
	changed map[string]int // the state of the archive in which each page last changed
	state   int
	Broken  map[string]bool // pages whose texts can't be read
}

// NewArchive returns an archive without pages.
func NewArchive() *Archive {
	return &Archive{pages: map[string][]Version{}, changed: map[string]int{}, Broken: map[string]bool{}}
}

// Put replaces the versions of a page; without versions it removes the page.
func (a *Archive) Put(key string, versions ...Version) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.state++
	a.changed[key] = a.state
	if len(versions) == 0 {
		delete(a.pages, key)
		return
	}
	a.pages[key] = versions
}

func (a *Archive) page(key string) search.Page {
	return search.Page{Key: key, Signature: uint64(a.changed[key])}
}

func (a *Archive) Pages(context.Context) iter.Seq2[search.Page, error] {
	return func(yield func(search.Page, error) bool) {
		a.mu.Lock()
		keys := slices.Sorted(maps.Keys(a.pages))
		a.mu.Unlock()
		for _, key := range keys {
			if !yield(a.page(key), nil) {
				return
			}
		}
	}
}

func (a *Archive) Page(_ context.Context, key string) (search.Page, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.pages[key]
	return a.page(key), ok, nil
}

func (a *Archive) Touched(_ context.Context, state string) (search.Touched, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := search.Touched{State: strconv.Itoa(a.state)}
	since, err := strconv.Atoi(state)
	if t.All = err != nil; t.All {
		return t, nil
	}
	for key, at := range a.changed {
		if at > since {
			t.Keys = append(t.Keys, key)
		}
	}
	slices.Sort(t.Keys)
	return t, nil
}

func day(n int) cdx.Timestamp {
	return cdx.Timestamp(20200101000000 + int64(n/1000)*1_00_00_000000 + int64(n%1000-1)*1_000000)
}

func (a *Archive) Versions(_ context.Context, key string) (out []search.Version, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.Broken[key] {
		return nil, fmt.Errorf("%s is broken", key)
	}
	for i, v := range a.pages[key] {
		of := search.Version{First: day(v.Day), Last: day(v.Day), Text: uint64(i + 1), MIME: "text/html", Status: 200, Missing: v.Missing}
		if v.MIME != "" {
			of.MIME = v.MIME
		}
		if v.Status != 0 {
			of.Status = v.Status
		}
		if v.Text == "" {
			of.Text = 0
		}
		out = append(out, of)
	}
	return out, nil
}

func (a *Archive) Text(_ context.Context, key string, v search.Version) (search.Text, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.pages[key][v.Text-1]
	out := search.Text{Text: history.Text{Title: of.Title, Fields: of.Fields.Pack()}, Links: slices.Values(of.Links)}
	for i, block := range strings.Split(of.Text, "\n") {
		kind := history.Kind(0)
		if i == 0 && strings.Contains(of.Text, "\n") {
			kind = history.Heading
		}
		out.Blocks, out.Kinds = append(out.Blocks, block), append(out.Kinds, kind)
	}
	return out, nil
}
