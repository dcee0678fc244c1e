package search

import (
	"context"

	"github.com/varve-archive/varve/archive/search/history"
	"github.com/varve-archive/varve/archive/search/language"
)

// A pageReader reads the versions of a page into a history.
type pageReader struct {
	*history.Builder
	key     string
	stop    *language.Lists
	lang    language.Set // languages of the newest version
	code    *string      // its ISO 639 code, nil before the first version
	changes int
}

// A pageSink takes what a pageReader reads.
type pageSink interface {
	// part is called before a version that begins another part of the history.
	part(ctx context.Context, next Version) error
	version(ctx context.Context, s *versionStep) error
	// link is called with the newest version that shows the page, if it has links.
	link(Text)
}

// A versionStep is what a version adds to a history.
type versionStep struct {
	history.Step
	of     Version
	change Change              // to it from the version before, unless that has the same text
	counts func(w string) bool // whether it counts if a word was deleted or added; nil if the change is no edit
}

// An UnreadableError says that a page's texts can't be read from the archive.
type UnreadableError struct{ Cause error }

func (e *UnreadableError) Error() string { return e.Cause.Error() }

func (e *UnreadableError) Unwrap() error { return e.Cause }

// read reads all versions, oldest first. The error is an [UnreadableError] if the page's texts can't be read.
func (r *pageReader) read(ctx context.Context, a Archive, to pageSink) error {
	versions, err := a.Versions(ctx, r.key)
	if err != nil {
		return &UnreadableError{err}
	}
	newest := newestShown(versions)
	var text Text
	for i, v := range versions {
		if r.Full() {
			if err := to.part(ctx, v); err != nil {
				return err
			}
		}
		switch {
		case v.Text == 0:
			text = Text{}
		case i == 0 || v.Text != versions[i-1].Text:
			if text, err = a.Text(ctx, r.key, v); err != nil {
				return &UnreadableError{err}
			}
		}
		if i == newest && text.Links != nil {
			to.link(text)
		}
		if err := to.version(ctx, r.step(v, text.Text)); err != nil {
			return err
		}
	}
	return nil
}

// step adds a version to the history.
func (r *pageReader) step(v Version, text history.Text) *versionStep {
	s := &versionStep{Step: r.Add(v, text), of: v}
	older := r.lang
	if !s.Same() || r.code == nil {
		lang, code := r.stop.Tell(s.Newer(language.Sample))
		r.lang, r.code = lang, &code
	}
	if text.Lang == "" {
		s.SetLang(*r.code)
	}
	if s.Same() {
		return s
	}
	r.changes++
	s.change = changeTo(r.key, s.Rows[:], 1)
	if languages := older | r.lang; s.change.edit() {
		s.counts = func(w string) bool { return r.stop.Significant(w, languages) }
	}
	return s
}

// newestShown returns the newest version that shows the page, -1 if none does.
func newestShown(versions []Version) int {
	for i := len(versions) - 1; i >= 0; i-- {
		if v := &versions[i]; v.Text != 0 && !v.Missing && !v.Soft404 {
			return i
		}
	}
	return -1
}
