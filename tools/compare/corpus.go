package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A corpus is a folder of archived files with a ground truth, one line per capture.
type corpus struct {
	name, dir string
	uris      []string // in order of their first capture
	captures  map[string][]*capture
}

// A capture is a line of the truth. Sets of single pages from the live web have Change and Shown, versioned sites the
// other fields.
type capture struct {
	URI, Datetime, File, Record, Digest string

	Offset int64
	Status int
	Change *bool
	Shown  *bool

	TextSHA        string `json:"text_sha"`
	TextChanged    *bool  `json:"text_changed_from_prev"`
	MainChanged    *bool  `json:"main_changed_from_prev"`
	DigestChanged  *bool  `json:"digest_changed"`
	DigestChanged2 *bool  `json:"digest_changed_from_prev"`
	Boilerplate    bool   `json:"boilerplate_only"`
	FurnitureMaybe bool   `json:"furniture_maybe"`
}

// wild reports whether it belongs to a set of pages from the live web.
func (v *capture) wild() bool { return v.Shown != nil }

// change returns whether the page's own text changed since the previous capture, or nil if both answers are acceptable.
func (v *capture) change() *bool {
	switch {
	case v.wild():
		return v.Change
	case v.TextChanged == nil || v.MainChanged == nil || *v.TextChanged != *v.MainChanged || v.Boilerplate || v.FurnitureMaybe:
		return nil
	}
	return v.MainChanged
}

func (v *capture) digestChanged() bool {
	return v.DigestChanged != nil && *v.DigestChanged || v.DigestChanged2 != nil && *v.DigestChanged2
}

// corpora returns the sets in the folders of root, by name.
func corpora(root string) (sets []*corpus, err error) {
	for _, pattern := range []string{"*.wild.jsonl.gz", "*.truth.jsonl.gz"} {
		files, err := filepath.Glob(filepath.Join(root, "*", pattern))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			c, err := readCorpus(f)
			if err != nil {
				return nil, err
			}
			sets = append(sets, c)
		}
	}
	return sets, nil
}

func readCorpus(file string) (*corpus, error) {
	c := &corpus{name: filepath.Base(filepath.Dir(file)), dir: filepath.Dir(file), captures: map[string][]*capture{}}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for lines := json.NewDecoder(z); ; {
		v := new(capture)
		if err := lines.Decode(v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if c.captures[v.URI] == nil {
			c.uris = append(c.uris, v.URI)
		}
		c.captures[v.URI] = append(c.captures[v.URI], v)
	}
	c.keepFair()
	return c, nil
}

// keepFair leaves out URIs that share a SURT with another one, as their captures belong to one page, and URIs with two
// captures in one second.
func (c *corpus) keepFair() {
	keys := map[string]int{}
	for _, u := range c.uris {
		keys[sameKey(u)]++
	}
	var fair []string
	for _, u := range c.uris {
		if keys[sameKey(u)] == 1 && (c.captures[u][0].wild() || distinct(c.captures[u])) {
			fair = append(fair, u)
		}
	}
	c.uris = fair
}

func sameKey(uri string) string {
	uri = strings.ToLower(uri)
	_, rest, _ := strings.Cut(uri, "://")
	return strings.TrimRight(strings.TrimPrefix(rest, "www."), "/")
}

func distinct(all []*capture) bool {
	seen := map[string]bool{}
	for _, v := range all {
		if seen[v.Datetime] {
			return false
		}
		seen[v.Datetime] = true
	}
	return true
}
