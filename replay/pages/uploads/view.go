package uploads

import (
	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A pageView is a page of uploaded files, with a place for more.
type pageView struct {
	layout.Page
	Zone  *layout.DropZone // nil leaves it out
	Files []fileView
	Done  bool   // nothing will change any more
	Again string // where more can be uploaded, "" on that page
}

// A fileView is the state of an uploaded file. Names are foreign text.
type fileView struct {
	upload.Status
	Shown    []pageOfFile // pages to begin with
	CollHref string
}

// A pageOfFile is a page that came with a file.
type pageOfFile struct {
	banner.CaptureLink
	URIR string
}

func stateOf(t *locale.Language, f *fileView) string {
	u := &t.Uploads
	switch f.State {
	case upload.Receiving:
		return fillPercent(t, u.Sending, f.Percent)
	case upload.Checking:
		return fillPercent(t, u.Checking, f.Percent)
	case upload.AtIndex:
		return t.List(fillPercent(t, u.Indexing, f.Percent), t.Some(t.Captures, f.Captures))
	case upload.Done:
		if f.SameAs != "" {
			return u.HaveIt
		}
		return t.List(u.Added, t.Count(t.Captures, f.Captures))
	case upload.Refused:
		return u.NotAdded
	case upload.Failed:
		return u.NotIndexed
	}
	return u.Waiting
}

// whyNot returns the reason for a refusal in the reader's language, "" if there is only the English text.
func whyNot(t *locale.Language, f *fileView) string {
	if t.Tag == "en" {
		return "" // it says more
	}
	return locale.Fill(t.Uploads.Refused[f.Why], isolated(f.Args)...)
}

// isolated isolates names and numbers from the text direction around them.
func isolated(list []string) (out []string) {
	for _, s := range list {
		out = append(out, "\u2068"+s+"\u2069") // first strong isolate
	}
	return out
}

func fillPercent(t *locale.Language, phrase string, percent int) string {
	return locale.Fill(phrase, locale.Fill(t.Percent, t.Number(percent)))
}
