package rank

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/vm"

	"github.com/varve-archive/varve/archive/search/query"
)

// Settings say how results are ranked. The zero value is the default. Its YAML names are those in the config file.
type Settings struct {
	K1      *float64 `yaml:"k1"` // how much repeating a word still counts, 1.2 unless set
	B       *float64 `yaml:"b"`  // how much the length of a text counts, from 0 to 1, 0.75 unless set
	Weights Weights  `yaml:"weights"`
	// Words have weights of their own; 1 is that of all others.
	Words map[string]float64 `yaml:"words"`
	// StopWords, and those of StopLanguages (codes such as de), don't have to occur and don't count, unless there is
	// nothing else in a query. In phrases they stay.
	StopWords     []string `yaml:"stop_words"`
	StopLanguages []string `yaml:"stop_languages"`
	ShortestWord  int      `yaml:"shortest_word"` // in letters; shorter words are stop words. Ideographs never are
	Boost         string   `yaml:"boost"`         // formula over [Facts], multiplied with the score
	Synonyms      string   `yaml:"synonyms"`      // a file, see [ReadSynonyms]
}

// Weights say how much a word counts by where it is, as a multiple of how much it counts in a text. 0 is not at all.
type Weights struct {
	Text      *float64 `yaml:"text"`      // the visible text, 1 unless set
	Title     *float64 `yaml:"title"`     // the title once more, 2 unless set
	Headings  *float64 `yaml:"headings"`  // headings once more, 0.5 unless set
	Furniture *float64 `yaml:"furniture"` // menus, footers, notices, instead of the visible text, 0.5 unless set
	URL       *float64 `yaml:"url"`       // the address, 0.5 unless set
	Anchors   *float64 `yaml:"anchors"`   // the texts of links to the page, 0.5 unless set; see [Ranking.Anchors]
}

// The defaults of [Settings].
const (
	defaultK1, defaultB                           = 1.2, 0.75
	defaultText, defaultTitle, defaultURL         = 1, 2, 0.5
	defaultHeadings, defaultFurniture             = 0.5, 0.5
	defaultAnchors                                = 0.5
	mostK1, mostWeight                    float64 = 100, 1000
)

// A Ranking prepares queries and rates pages. It is safe for concurrent use.
type Ranking struct {
	k1, b               float64
	text, title, url    float64
	headings, furniture float64
	anchors             float64
	words               map[string]float64
	stop                map[string]bool
	shortest            int
	boost               *vm.Program // nil for none
	whole               bool        // see [Ranking.Whole]
	inlinks             bool        // see [Ranking.Inlinks]
	synonyms            Synonyms
}

// New checks settings. stopWords returns the stop words of a language. Errors name the setting, and the place in a
// formula.
func New(s Settings, synonyms Synonyms, stopWords func(language string) ([]string, error)) (*Ranking, error) {
	r := &Ranking{words: map[string]float64{}, stop: map[string]bool{}, shortest: s.ShortestWord, synonyms: synonyms}
	var failed []error
	for _, n := range []struct {
		name  string
		to    *float64
		given *float64
		usual float64
		most  float64
	}{
		{"k1", &r.k1, s.K1, defaultK1, mostK1},
		{"b", &r.b, s.B, defaultB, 1},
		{"weights: text", &r.text, s.Weights.Text, defaultText, mostWeight},
		{"weights: title", &r.title, s.Weights.Title, defaultTitle, mostWeight},
		{"weights: headings", &r.headings, s.Weights.Headings, defaultHeadings, mostWeight},
		{"weights: furniture", &r.furniture, s.Weights.Furniture, defaultFurniture, mostWeight},
		{"weights: url", &r.url, s.Weights.URL, defaultURL, mostWeight},
		{"weights: anchors", &r.anchors, s.Weights.Anchors, defaultAnchors, mostWeight},
	} {
		if *n.to = n.usual; n.given != nil {
			*n.to = *n.given
			failed = append(failed, within(n.name, *n.given, n.most))
		}
	}
	for word, weight := range s.Words {
		failed = append(failed, within("words: "+word, weight, mostWeight), r.weigh(word, weight))
	}
	failed = append(failed, r.stopAt(s, stopWords))
	if s.Boost != "" {
		var err error
		r.boost, err = compile(s.Boost)
		r.whole, r.inlinks = wholeFacts.MatchString(s.Boost), inlinksFact.MatchString(s.Boost)
		failed = append(failed, err)
	}
	return r, errors.Join(failed...)
}

// Usual returns the default ranking.
func Usual() *Ranking {
	r, _ := New(Settings{}, nil, nil) // the defaults are within their bounds
	return r
}

func within(name string, v, most float64) error {
	if v >= 0 && v <= most {
		return nil
	}
	return fmt.Errorf("%s: %v is not from 0 to %v", name, v, most)
}

func (r *Ranking) weigh(word string, weight float64) error {
	words := query.Words(word)
	if len(words) != 1 {
		return fmt.Errorf("words: %q is not one word", word)
	}
	r.words[words[0]] = weight
	return nil
}

func (r *Ranking) stopAt(s Settings, stopWords func(language string) ([]string, error)) error {
	list := slices.Clone(s.StopWords)
	for _, language := range s.StopLanguages {
		words, err := stopWords(strings.ToLower(language))
		if err != nil {
			return fmt.Errorf("stop_languages: %w", err)
		}
		list = append(list, words...)
	}
	for _, w := range list {
		for _, word := range query.Words(w) {
			r.stop[word] = true
		}
	}
	if s.ShortestWord < 0 || s.ShortestWord > 10 {
		return fmt.Errorf("shortest_word: %d is not from 0 to 10", s.ShortestWord)
	}
	return nil
}
