package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// methodNames are the names of the methods in the order of their scores.
var methodNames = [...]string{"payload digest", "SimHash", "go-trafilatura", "varve"}

const (
	byDigest = iota
	bySimHash
	byTrafilatura
	byVarve
)

type scores [len(methodNames)]score

func (c *corpus) measure(binary string) (*scores, error) {
	data, err := os.MkdirTemp("", "compare-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(data)
	if err := index(binary, data, c.dir); err != nil {
		return nil, err
	}
	out, texts := new(scores), texts{corpus: c, known: map[string]reading{}}
	for _, uri := range c.uris {
		cuts, err := changes(binary, data, uri)
		if err != nil {
			return nil, err
		}
		if err := out.page(c.captures[uri], cuts, &texts); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func index(binary, data, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil {
		return err
	}
	cmd := exec.Command(binary, append([]string{"index", "--data", data}, files...)...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

// changes returns the kinds of the versions, by the datetime at which they begin.
func changes(binary, data, uri string) (map[string]string, error) {
	cmd := exec.Command(binary, "changes", "--data", data, "--level", "content", "--json", uri)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", uri, err, said.Bytes())
	}
	var answer struct {
		Ranges []struct{ First, Kind string }
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	cuts := map[string]string{}
	for i, r := range answer.Ranges {
		if i > 0 {
			cuts[r.First] = r.Kind
		}
	}
	return cuts, nil
}

// page adds the steps from capture to capture of one page.
func (s *scores) page(all []*capture, cuts map[string]string, texts *texts) error {
	var before *capture // the last one with a text
	for _, v := range all {
		if v.wild() || v.TextSHA != "" {
			if before != nil {
				if err := s.step(before, v, cuts, texts); err != nil {
					return err
				}
			}
			before = v
		}
	}
	return nil
}

func (s *scores) step(a, b *capture, cuts map[string]string, texts *texts) error {
	want, wall := b.change(), b.wild() && *a.Shown != *b.Shown
	if want == nil && !wall {
		return nil
	}
	before, err := texts.of(a)
	if err != nil {
		return err
	}
	now, err := texts.of(b)
	if err != nil {
		return err
	}
	kind, cut := cuts[b.Datetime]
	simHash, own := now.changed(before)
	for i, got := range [...]bool{byDigest: b.digestChanged(), bySimHash: simHash, byTrafilatura: own, byVarve: cut} {
		if want != nil {
			s[i].add(*want, got)
		}
		if wall {
			s[i].wall(got && (i != byVarve || kind == "page"))
		}
	}
	return nil
}

// texts reads each body once and caches the result.
type texts struct {
	corpus *corpus
	known  map[string]reading // by digest, or by place if there is none
}

func (t *texts) of(v *capture) (reading, error) {
	key := v.Digest
	if v.wild() {
		key = fmt.Sprint(v.File, " ", v.Offset)
	}
	if r, ok := t.known[key]; ok {
		return r, nil
	}
	if v.Record != "" && v.Record != "response" {
		original := t.original(v.Digest)
		if original == nil {
			return reading{}, fmt.Errorf("%s %s: a revisit without its original", v.Datetime, v.URI)
		}
		v = original
	}
	body, err := t.corpus.body(v)
	if err != nil {
		return reading{}, err
	}
	r := read(body)
	t.known[key] = r
	return r, nil
}

// original finds the response to which a revisit refers by its digest.
func (t *texts) original(digest string) *capture {
	for _, all := range t.corpus.captures {
		for _, v := range all {
			if v.Digest == digest && v.Record == "response" {
				return v
			}
		}
	}
	return nil
}
