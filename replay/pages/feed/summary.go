package feed

import (
	"context"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/archive/change/diff"
	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/banner/locale"
)

const (
	// maxSummary bounds the characters of archived text in a summary.
	maxSummary = 1200
	// maxContext is how many unchanged characters are shown on each side of a change.
	maxContext = 60
)

// summary describes in HTML what was deleted and added. All text in it is escaped; its elements are p, del and ins.
func (h *Handler) summary(ctx context.Context, a *ask, i *item, t *locale.Language) string {
	var says []string
	switch i.kind {
	case change.Missing:
		says = append(says, t.HereMissing)
	case change.Redirect:
		says = append(says, t.HereRedirect)
	case change.Error:
		says = append(says, t.HereError)
	}
	if i.was == nil {
		says = append(says, t.FirstVersion)
	}
	blocks, ok := h.diff(ctx, a.Level, i)
	if shown := diff.Count(blocks); ok && i.was != nil {
		for _, n := range []struct {
			words int
			said  locale.Count
		}{{shown.Deleted, t.DeletedWords}, {shown.Added, t.AddedWords}, {shown.Moved, t.MovedWords}} {
			if n.words > 0 {
				says = append(says, t.Count(n.said, n.words))
			}
		}
	}
	if v := i.version; ok && v != nil && v.Range.Change != nil && v.Range.Change.Pictures > 0 {
		says = append(says, t.OtherPicture)
	}
	if v := i.version; v != nil && v.Range.Alternates {
		says = append(says, locale.Fill(t.AlternatingSince, t.Short(v.Range.First)))
	}
	var b strings.Builder
	if len(says) > 0 {
		b.WriteString("<p>" + html.EscapeString(strings.Join(says, " · ")) + "</p>")
	}
	w := excerpt{to: &b, left: maxSummary}
	for n := range blocks {
		w.block(&blocks[n])
	}
	return b.String()
}

// diff compares the texts of an item's two captures. ok is false if one has no text that can be read and shown now.
func (h *Handler) diff(ctx context.Context, level change.Level, i *item) (blocks []diff.Block, ok bool) {
	if i.keptBack || i.is.Text == 0 || i.was != nil && i.was.Text == 0 {
		return nil, false
	}
	newer, err := h.archive.Text(ctx, i.is)
	var older visible.Text
	if err == nil && i.was != nil {
		older, err = h.archive.Text(ctx, i.was)
	}
	if err != nil {
		if i.unread = true; ctx.Err() == nil {
			h.archive.LogUnreadable(i.is.Key, i.time, err)
		}
		return nil, false
	}
	if level == change.LevelContent {
		return diff.Words(&older, &newer), true
	}
	return diff.Texts(&older, &newer), true
}

// An excerpt writes changes with a little of their context, until there is no room left.
type excerpt struct {
	to   *strings.Builder
	left int // characters
}

func (w *excerpt) block(b *diff.Block) {
	if b.Op != diff.Changed && b.Op != diff.Deleted && b.Op != diff.Inserted || w.left <= 0 {
		return
	}
	w.to.WriteString("<p>")
	for n := range b.Edits {
		text := squeezed(b.Edits[n].Text)
		if n > 0 && b.Edits[n-1].Op != diff.Equal && b.Edits[n].Op != diff.Equal {
			w.to.WriteByte(' ') // feed readers may show del and ins as plain text
		}
		switch b.Edits[n].Op {
		case diff.Deleted:
			w.element("del", text)
		case diff.Inserted:
			w.element("ins", text)
		case diff.Equal:
			w.text(around(text, n > 0, n < len(b.Edits)-1))
		}
	}
	w.to.WriteString("</p>")
}

// squeezed replaces each run of white space by one space, also at the ends.
func squeezed(s string) string {
	words := strings.Join(strings.Fields(s), " ")
	if words == "" && s != "" {
		return " "
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	if unicode.IsSpace(first) {
		words = " " + words
	}
	if unicode.IsSpace(last) {
		words += " "
	}
	return words
}

func (w *excerpt) element(name, text string) {
	if w.left > 0 {
		w.to.WriteString("<" + name + ">")
		w.text(text)
		w.to.WriteString("</" + name + ">")
	}
}

// text writes a text as far as there is room.
func (w *excerpt) text(s string) {
	if w.left <= 0 {
		return
	}
	if n := utf8.RuneCountInString(s); n > w.left {
		s, w.left = string([]rune(s)[:w.left])+"…", 0
	} else {
		w.left -= n
	}
	w.to.WriteString(html.EscapeString(s))
}

// around shortens unchanged text to what is next to a change before or after it.
func around(s string, behind, before bool) string {
	r := []rune(s)
	switch {
	case behind && before && len(r) > 2*maxContext:
		return string(r[:maxContext]) + " … " + string(r[len(r)-maxContext:])
	case behind && !before && len(r) > maxContext:
		return string(r[:maxContext]) + "…"
	case before && !behind && len(r) > maxContext:
		return "…" + string(r[len(r)-maxContext:])
	}
	return s
}
