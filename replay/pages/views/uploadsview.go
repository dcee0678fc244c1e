package views

import (
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// A DropZone is where files can be uploaded. If a page doesn't allow it, Token is "", and the page says why.
type DropZone struct {
	Action      string // takes the form
	Token       string
	Coll        string        // the collection to which files go, unless another of Collections is chosen
	Collections []banner.Link // Href is the name, Text what people call it; none leaves the choice out
	Limit       int64         // bytes of a file
}

// An UploadsView is a page of uploaded files, with a place for more.
type UploadsView struct {
	layout.Page
	Zone  *DropZone // nil leaves it out
	Files []UploadedFile
	Done  bool   // nothing will change any more
	Again string // where more can be uploaded, "" on that page
}

// An UploadedFile is the state of an uploaded file. Names are foreign text.
type UploadedFile struct {
	Name, Stored, SameAs string
	State                string // waiting, checking …: as in the API
	Over                 bool   // State is final
	Percent              int
	Size                 int64
	Captures, Damaged    int
	Problems             []UploadProblem // the first damaged places
	Pages                []UploadedPage  // pages to begin with
	Reason               string          // why it was refused, in English, without a full stop
	Why                  string          // key of the reason, for translations
	Args                 []string        // arguments of the reason
	CollHref             string
}

// An UploadProblem is a damaged place in a file, or in a member of a WACZ.
type UploadProblem struct {
	Member string
	Offset int64
	Reason string
}

// An UploadedPage is a page that came with a file.
type UploadedPage struct {
	banner.CaptureLink
	URIR string
}

func stateOf(t texts, f *UploadedFile) string {
	u := &t.Uploads
	switch f.State {
	case "receiving":
		return fillPercent(t, u.Sending, f.Percent)
	case "checking":
		return fillPercent(t, u.Checking, f.Percent)
	case "indexing":
		return t.List(fillPercent(t, u.Indexing, f.Percent), t.Some(t.Captures, f.Captures))
	case "done":
		if f.SameAs != "" {
			return u.HaveIt
		}
		return t.List(u.Added, t.Count(t.Captures, f.Captures))
	case "refused":
		return u.NotAdded
	case "failed":
		return u.NotIndexed
	}
	return u.Waiting
}

// whyNot returns the reason for a refusal in the reader's language, "" if there is only the English text.
func whyNot(t texts, f *UploadedFile) string {
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

func fillPercent(t texts, phrase string, percent int) string {
	return locale.Fill(phrase, locale.Fill(t.Percent, t.Number(percent)))
}
