package rank

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/query"
)

// Settings say how results are ranked. The zero value is the default. The YAML names are those in the configuration file.
type Settings struct {
	K1      *float64 `yaml:"k1"` // how much repetitions of a word count, 1.2 unless set
	B       *float64 `yaml:"b"`  // how much the length of a text counts, from 0 to 1, 0.75 unless set
	Weights Weights  `yaml:"weights"`
	// Words have the weights of single words; others have weight 1.
	Words map[string]float64 `yaml:"words"`
	// StopWords, and the stop words of StopLanguages (codes such as de), are left out of queries that have other words; in phrases they stay.
	// A stop word between slashes is a regular expression for whole words: /[0-9]+/.
	StopWords     []string `yaml:"stop_words"`
	StopLanguages []string `yaml:"stop_languages"`
	ShortestWord  int      `yaml:"shortest_word"` // in letters; shorter words are stop words, except ideographs
	// Only names the parts of a page (as in Weights) and the template fields in which words count. All others have weight 0.
	Only []string `yaml:"only"`
	// Boost is a formula over facts and template fields; the score is multiplied by its result. The result of Add is added to the score.
	// Missing has the values of fields that a page lacks, 0 unless set.
	Boost    string             `yaml:"boost"`
	Add      string             `yaml:"add"`
	Missing  map[string]float64 `yaml:"missing"`
	Synonyms string             `yaml:"synonyms"` // name of a file, see [ReadSynonyms]
}

// Weights say how much a word counts in each part of a page, relative to the text. With 0 it doesn't count.
type Weights struct {
	Text      *float64 `yaml:"text"`      // the visible text with its title, 1 unless set
	Title     *float64 `yaml:"title"`     // additional weight of the title, 2 unless set
	Headings  *float64 `yaml:"headings"`  // additional weight of headings, 0.5 unless set
	Furniture *float64 `yaml:"furniture"` // menus, footers and notices, in place of Text, 0.5 unless set
	URL       *float64 `yaml:"url"`       // the address, 0.5 unless set
	Anchors   *float64 `yaml:"anchors"`   // the texts of links to the page, 0.5 unless set; see [Ranking.Anchors]
	// Fields are the weights of template fields: 0 unless set, or 1 if Only names them.
	Fields map[string]float64 `yaml:"fields"`
}

// The defaults of [Settings].
const (
	defaultK1, defaultB                                 = 1.2, 0.75
	defaultTextWeight, defaultTitle, defaultURL         = 1, 2, 0.5
	defaultHeadings, defaultFurniture                   = 0.5, 0.5
	defaultAnchors                                      = 0.5
	maxK1, maxWeight                            float64 = 100, 1000
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
	stopped             []*regexp.Regexp
	fields              map[string]float64 // weights of fields of templates
	boost, add          *formula           // nil for none
	synonyms            Synonyms
}

// New checks settings and returns their Ranking. stopWords returns the stop words of a language; columns are the template fields. Errors
// name the setting, and the place in a formula.
func New(
	s Settings, synonyms Synonyms, stopWords func(language string) ([]string, error), columns ...fields.Column,
) (*Ranking, error) {
	r := &Ranking{words: map[string]float64{}, stop: map[string]bool{}, shortest: s.ShortestWord, synonyms: synonyms}
	var failed []error
	only := s.Only
	for _, n := range []struct {
		name  string
		to    *float64
		given *float64
		usual float64
		most  float64
	}{
		{"k1", &r.k1, s.K1, defaultK1, maxK1},
		{"b", &r.b, s.B, defaultB, 1},
		{"weights: text", &r.text, s.Weights.Text, defaultTextWeight, maxWeight},
		{"weights: title", &r.title, s.Weights.Title, defaultTitle, maxWeight},
		{"weights: headings", &r.headings, s.Weights.Headings, defaultHeadings, maxWeight},
		{"weights: furniture", &r.furniture, s.Weights.Furniture, defaultFurniture, maxWeight},
		{"weights: url", &r.url, s.Weights.URL, defaultURL, maxWeight},
		{"weights: anchors", &r.anchors, s.Weights.Anchors, defaultAnchors, maxWeight},
	} {
		if *n.to = n.usual; n.given != nil {
			*n.to = *n.given
			failed = append(failed, within(n.name, *n.given, n.most))
		}
		if part, ok := strings.CutPrefix(n.name, "weights: "); ok && len(s.Only) > 0 {
			if !slices.Contains(s.Only, part) {
				*n.to = 0
			}
			only = slices.DeleteFunc(slices.Clone(only), func(name string) bool { return name == part })
		}
	}
	failed = append(failed, r.weighFields(s, only, columns))
	for word, weight := range s.Words {
		failed = append(failed, within("words: "+word, weight, maxWeight), r.weigh(word, weight))
	}
	failed = append(failed, r.stopAt(s, stopWords))
	var wrong error
	if r.boost, wrong = compile(s.Boost, s.Missing, columns); wrong != nil {
		failed = append(failed, fmt.Errorf("boost: %w", wrong))
	}
	if r.add, wrong = compile(s.Add, s.Missing, columns); wrong != nil {
		failed = append(failed, fmt.Errorf("add: %w", wrong))
	}
	return r, errors.Join(failed...)
}

// weighFields sets the weights of template fields. only has the names of Settings.Only.
func (r *Ranking) weighFields(s Settings, only []string, columns []fields.Column) error {
	r.fields = map[string]float64{}
	for name, weight := range s.Weights.Fields {
		if len(s.Only) == 0 || slices.Contains(only, name) {
			r.fields[name] = weight
		}
	}
	for _, name := range only {
		if _, given := r.fields[name]; !given {
			r.fields[name] = 1
		}
	}
	for name, weight := range r.fields {
		if !slices.ContainsFunc(columns, func(c fields.Column) bool { return c.Name == name }) {
			return fmt.Errorf("%q is neither a part of a page nor a field of a template", name)
		}
		if err := within("weights: fields: "+name, weight, maxWeight); err != nil {
			return err
		}
	}
	return nil
}

// Default returns the default ranking.
func Default() *Ranking {
	r, _ := New(Settings{}, nil, nil) // the default settings are valid
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
	var list []string
	for _, w := range s.StopWords {
		if len(w) < 3 || w[0] != '/' || w[len(w)-1] != '/' {
			list = append(list, w)
			continue
		}
		expression, err := regexp.Compile("^(?:" + w[1:len(w)-1] + ")$")
		if err != nil {
			return fmt.Errorf("stop_words: %s: %w", w, err)
		}
		r.stopped = append(r.stopped, expression)
	}
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
