package ways

import (
	"github.com/varve-archive/varve/archive/landing"
	"github.com/varve-archive/varve/banner"
	"github.com/varve-archive/varve/banner/locale"
	"github.com/varve-archive/varve/replay/pages/layout"
)

// An Alternative is a page that may be what the reader wants.
type Alternative struct {
	banner.CaptureLink
	URIR, Title string
	Similarity  layout.Similarity
	Why         landing.Why
}

func why(t *locale.Language, w landing.Why) string {
	return [...]string{
		landing.WhySimilar: t.WhySimilar, landing.WhyNoQuery: t.WhyNoQuery, landing.WhyParent: t.WhyParent,
		landing.WhyVariant: t.WhyVariant, landing.WhySpelling: t.WhySpelling,
	}[w]
}

// A Kind is the kind of a suggestion.
type Kind uint8

// The kinds of suggestions.
const (
	Under        Kind = iota // to the addresses that a pattern stands for
	InCollection             // the same address in another collection
	Search                   // to a search
	All                      // to every address of the collection
)

// A Way is a suggestion for a reader who found nothing. Text is the pattern, the collection, or the words; "" for [All].
type Way struct {
	Kind       Kind
	Href, Text string
}

func (k Kind) phrase(t *locale.Language) string {
	return [...]string{t.Browse.Under, t.Browse.InCollection, t.Browse.SearchFor, t.Browse.AllAddresses}[k]
}
