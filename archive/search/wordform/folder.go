package wordform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/ar"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fa"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hi"
	"github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ro"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/lang/tr"
	"github.com/blevesearch/bleve/v2/registry"
)

// Languages returns the ISO 639 codes of the languages that have a stemmer here. Each is the name of its analyzer.
func Languages() []string {
	return []string{
		ar.AnalyzerName, da.AnalyzerName, de.AnalyzerName, en.AnalyzerName, es.AnalyzerName, fa.AnalyzerName, fi.AnalyzerName,
		fr.AnalyzerName, hi.AnalyzerName, hu.AnalyzerName, it.AnalyzerName, nl.AnalyzerName, no.AnalyzerName, pt.AnalyzerName,
		ro.AnalyzerName, ru.AnalyzerName, sv.AnalyzerName, tr.AnalyzerName,
	}
}

// A Folder returns the keys of words. It is safe for concurrent use.
type Folder struct{ languages []language }

type language struct {
	code   string
	script *unicode.RangeTable
	stems  analysis.Analyzer
}

// NewFolder returns a folder for languages, given by their codes. Languages without a stemmer are left out.
func NewFolder(codes []string) (*Folder, error) {
	f, cache := &Folder{}, registry.NewCache()
	known := Languages()
	for _, code := range codes {
		if !slices.Contains(known, code) || slices.ContainsFunc(f.languages, func(l language) bool { return l.code == code }) {
			continue
		}
		stems, err := cache.AnalyzerNamed(code)
		if err != nil {
			return nil, fmt.Errorf("wordform: %s: %w", code, err)
		}
		f.languages = append(f.languages, language{code, scriptOf(code), stems})
	}
	return f, nil
}

func (f *Folder) sameLanguages(o *Folder) bool {
	return slices.EqualFunc(f.languages, o.languages, func(a, b language) bool { return a.code == b.code })
}

func scriptOf(code string) *unicode.RangeTable {
	switch code {
	case ar.AnalyzerName, fa.AnalyzerName:
		return unicode.Arabic
	case hi.AnalyzerName:
		return unicode.Devanagari
	case ru.AnalyzerName:
		return unicode.Cyrillic
	}
	return unicode.Latin
}

// maxWord is the greatest length in bytes of a word that has forms, shortest the least length in letters of a word that is stemmed.
const (
	maxWord = 64
	minWord = 3
)

// Keys returns the keys of a lower-case word: written those of the word as it is, plain those without accents. Words with digits or points
// have no stems, and addresses no keys.
func (f *Folder) Keys(word string) (written, plain []string) {
	word = strings.Trim(word, "_") // which emphasize it in plain text
	if len(word) > maxWord || strings.ContainsAny(word, ":_@") {
		return nil, nil
	}
	unified := unify(word)
	digits := strings.ContainsAny(unified, "0123456789")
	if digits {
		unified = withoutSeparators(unified)
	} else {
		unified = strings.ReplaceAll(unified, ".", "") // U.S.A. is USA
	}
	if unified == "" {
		return nil, nil
	}
	written = append(written, unified)
	if !digits && !strings.Contains(word, ".") && utf8.RuneCountInString(unified) >= minWord {
		if stem := cmp.Or(stemKorean(unified), shortKatakana(unified)); stem != "" {
			written = append(written, stem)
		}
		written = append(written, f.stems(word)...)
	}
	for _, key := range written {
		if p := fold(key); p != "" && !slices.Contains(plain, p) {
			plain = append(plain, p)
		}
	}
	if german := umlauts(unified); german != unified {
		plain = append(plain, fold(german))
	}
	return written, plain
}

func isPlain(word string) bool {
	unified := unify(word)
	return fold(unified) == unified
}

// stems returns the stems of a word, each with the code of its language.
func (f *Folder) stems(word string) (out []string) {
	first, _ := utf8.DecodeRuneInString(word)
	word = strings.ReplaceAll(word, "ё", "е") // Snowball knows only е
	for i := range f.languages {
		if l := &f.languages[i]; unicode.Is(l.script, first) {
			for _, token := range l.stems.Analyze([]byte(word)) {
				out = append(out, l.code+":"+unify(string(token.Term)))
			}
		}
	}
	return out
}
