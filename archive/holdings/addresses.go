package holdings

import (
	"context"
	"iter"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive"
	"github.com/varve-archive/varve/archive/change"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cdx/surt"
)

// An Address is a URI-R with a summary of its captures. Its versions are not determined yet; [Counts.Versions] does.
type Address struct {
	Key, URL    string // URL as its newest capture has it
	Captures    int
	First, Last cdx.Timestamp
	Status      int    // of the newest capture that has one
	MIME        string // of the newest capture with a 2xx, else of the newest
	Bytes       int64  // of its records as they are stored

	// differs is the number of adjacent captures that differ, an upper bound of the changes; differed is the datetime of the last such
	// difference.
	differs  int
	differed cdx.Timestamp
	shown    bool // MIME is that of a 2xx

	sum   uint64   // checksum of the captures; an address with the same sum has the same captures
	years []inYear // by year, without empty years; owned by the Address
}

// inYear is the number of captures in a year.
type inYear struct{ year, n int }

// MostVersions returns an upper bound of the number of versions at any level, without reading anything.
func (a *Address) MostVersions() int { return a.differs + 1 }

// ChangedBy returns a datetime after which nothing changed, 0 if nothing ever did, without reading anything.
func (a *Address) ChangedBy() cdx.Timestamp { return a.differed }

// Addresses yields each address of a collection whose key is in [from, to), ordered by key; to "" means no end. It reads every capture
// once, and holds one address at a time. An *Address is valid until the next step.
func (s *Counts) Addresses(ctx context.Context, coll, from, to string) iter.Seq2[*Address, error] {
	return addresses(ctx, s.archive, coll, from, to)
}

func addresses(ctx context.Context, of *archive.Archive, coll, from, to string) iter.Seq2[*Address, error] {
	return func(yield func(*Address, error) bool) {
		a, before := &Address{}, cdx.Capture{}
		for c, err := range of.Index.Captures(ctx, cdx.Span{Coll: coll, From: from, To: to}) {
			if err != nil {
				yield(nil, err)
				return
			}
			if a.Captures > 0 && c.Key != a.Key {
				if !yield(a, nil) {
					return
				}
				*a = Address{years: a.years[:0]}
			}
			if !surt.HasMethod(c.Key) { // the response to a form is no address of its own
				a.add(c, &before)
				before = *c
			}
		}
		if a.Captures > 0 {
			yield(a, nil)
		}
	}
}

// add counts a capture; before is the previous one.
func (a *Address) add(c, before *cdx.Capture) {
	if a.Captures == 0 {
		a.Key, a.First = c.Key, c.Time
	} else if differ(before, c) {
		a.differs, a.differed = a.differs+1, c.Time
	}
	a.Captures++
	a.count(c)
	a.URL, a.Last, a.Bytes = c.URL, c.Time, a.Bytes+c.Length
	if c.Status != 0 {
		a.Status = c.Status
	}
	if ok := c.Status >= 200 && c.Status <= 299; c.MIME != "" && (ok || !a.shown) {
		a.MIME, a.shown = c.MIME, ok
	}
}

// count adds a capture to the sum and to its year.
func (a *Address) count(c *cdx.Capture) {
	const odd = 0x9E3779B97F4A7C15
	h := xxh3.HashString(c.Digest) ^ xxh3.HashString(c.Redirect) + uint64(c.Time) + odd*uint64(c.Status)
	if c.Failed() {
		h = ^h
	}
	a.sum = (a.sum+h)*odd ^ c.Text
	year := c.Time.Year()
	if n := len(a.years); n == 0 || a.years[n-1].year != year {
		a.years = append(a.years, inYear{year: year})
	}
	a.years[len(a.years)-1].n++
}

// differ reports whether a version may begin between two adjacent captures.
func differ(a, b *cdx.Capture) bool {
	return a.Digest == "" || a.Digest != b.Digest || a.Status != b.Status || a.Redirect != b.Redirect || a.Text != b.Text ||
		a.Failed() != b.Failed()
}

// Versions returns the number of versions of an address at a level, and when the last of them began, 0 if there is only one. It reads the
// timeline, unless all captures are equal.
func (s *Counts) Versions(ctx context.Context, coll string, a *Address, level change.Level) (n int, changed cdx.Timestamp, err error) {
	ranges, err := versionsOf(ctx, s.archive, coll, a, level)
	if n = max(1, len(ranges)); err == nil && n > 1 {
		changed = ranges[n-1].First
	}
	return n, changed, err
}

// versionsOf returns the versions of an address, nil if it can only have one.
func versionsOf(ctx context.Context, of *archive.Archive, coll string, a *Address, level change.Level) ([]change.Range, error) {
	if a.differs == 0 {
		return nil, nil
	}
	return of.Timelines.Ranges(ctx, coll, a.Key, a.Captures, level)
}

// A Sort is a class of media types.
type Sort string

const (
	SortPage     Sort = "page"
	SortDocument Sort = "document"
	SortImage    Sort = "image"
	SortStyle    Sort = "style"
	SortScript   Sort = "script"
	SortFont     Sort = "font"
	SortMedia    Sort = "media" // audio and video
	SortData     Sort = "data"
	SortOther    Sort = "other"
)

// Sorts lists the sorts, those that people read first.
func Sorts() []Sort {
	return []Sort{SortPage, SortDocument, SortImage, SortMedia, SortStyle, SortScript, SortFont, SortData, SortOther}
}

// sortNames are parts of media types that determine the sort, in the order in which they are tried:
// "application/vnd.openxmlformats-officedocument…" contains xml, and so does "image/svg+xml".
var sortNames = []struct {
	part string
	sort Sort
}{
	{"text/html", SortPage},
	{"application/xhtml", SortPage},
	{"image/", SortImage},
	{"audio/", SortMedia},
	{"video/", SortMedia},
	{"mpegurl", SortMedia},
	{"dash+xml", SortMedia},
	{"font", SortFont},
	{"css", SortStyle},
	{"javascript", SortScript},
	{"ecmascript", SortScript},
	{"pdf", SortDocument},
	{"postscript", SortDocument},
	{"officedocument", SortDocument},
	{"opendocument", SortDocument},
	{"msword", SortDocument},
	{"ms-excel", SortDocument},
	{"ms-powerpoint", SortDocument},
	{"rtf", SortDocument},
	{"epub", SortDocument},
	{"text/plain", SortDocument},
	{"json", SortData},
	{"xml", SortData},
	{"csv", SortData},
}

// Sort returns the sort of an address.
func (a *Address) Sort() Sort {
	for _, s := range sortNames {
		if strings.Contains(a.MIME, s.part) {
			return s.sort
		}
	}
	return SortOther
}

// IsRead reports whether people open an address, rather than it being a part of a page.
func (a *Address) IsRead() bool {
	s := a.Sort()
	return s == SortPage || s == SortDocument
}
