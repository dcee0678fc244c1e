package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/archive/search/query"
)

// A Source has what is suggested while somebody types.
type Source struct {
	Words *Words // of the collection
	// Own has wordings of the archive's own that are suggested too, with weights instead of document counts; nil for none. See
	// [ReadDictionary].
	Own *Words
	// Synonyms returns other wordings of words; nil for none.
	Synonyms func(words []string) [][]string
}

const (
	tellingLetters  = 4 // shorter beginnings are near to most words, so these are suggested only if no word has the beginning
	maxSynonyms     = 3 // among the suggestions
	maxSynonymWords = 4 // words in a wording that synonyms are looked up for
	maxTypedWords   = 8 // words of an own wording that may have been typed already
)

// Finish returns up to n continuations of what somebody is typing, each as the whole text: other wordings of the last words, own wordings,
// and words with the last one as prefix, or nearly so if there are few. Earlier words that the collection doesn't have are replaced by near
// ones.
func (s *Source) Finish(typed string, n int) []string {
	out := &list{most: n}
	start := afterLast(typed, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`":`, r) })
	last := strings.TrimLeft(typed[start:], "-+(")
	head := s.corrected(typed[:len(typed)-len(last)])
	s.others(out, head+last)
	s.own(out, head+last)
	words := query.Words(last)
	switch {
	case last == "":
		if head != typed {
			out.add(strings.TrimSpace(head))
		}
	case len(words) == 1 && len([]rune(words[0])) == len([]rune(last)):
		for _, w := range s.complete(words[0], n) {
			out.add(head + w)
		}
	}
	return out.texts
}

// afterLast returns where the text after the last letter that is one of these begins.
func afterLast(text string, is func(rune) bool) int {
	i := strings.LastIndexFunc(text, is)
	if i < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return i + size
}

// A list collects distinct suggestions, at most most.
type list struct {
	texts []string
	most  int
}

func (l *list) add(text string) {
	if len(l.texts) < l.most && !slices.Contains(l.texts, text) {
		l.texts = append(l.texts, text)
	}
}

// complete returns words that begin with what is typed, the most frequent first, then words that nearly do.
func (s *Source) complete(typed string, n int) (out []string) {
	found := s.Words.Complete(typed, n)
	if s.Own != nil {
		for _, w := range s.Own.Complete(typed, n) {
			if !strings.Contains(w.Text, " ") {
				found = slices.DeleteFunc(found, func(other Word) bool { return other.Text == w.Text })
				found = append(found, w)
			}
		}
		slices.SortStableFunc(found, func(a, b Word) int { return cmp.Compare(b.Documents, a.Documents) })
	}
	for _, w := range found {
		out = append(out, w.Text)
	}
	if len(out) < n && (len(out) == 0 || utf8.RuneCountInString(typed) >= tellingLetters) {
		for _, w := range s.Words.Begin(typed, MaxTypos(typed), n) {
			out = append(out, w.Text)
		}
	}
	return out
}

// own adds own wordings of several words that the last words are a beginning of, or nearly so. [Source.complete] adds those of one word.
func (s *Source) own(out *list, typed string) {
	if s.Own == nil {
		return
	}
	for _, tail := range tails(typed, maxTypedWords) {
		found := s.Own.Complete(tail.text, out.most)
		for _, w := range s.Own.Begin(tail.text, MaxTypos(tail.text), out.most) {
			found = append(found, w.Word)
		}
		for _, w := range found {
			if strings.Contains(w.Text, " ") {
				out.add(tail.before + w.Text)
			}
		}
	}
}

// others adds other wordings of the last words.
func (s *Source) others(out *list, typed string) {
	if s.Synonyms == nil {
		return
	}
	for _, tail := range tails(typed, maxSynonymWords) {
		for _, other := range s.Synonyms(strings.Fields(tail.text)) {
			if len(out.texts) < maxSynonyms {
				out.add(tail.before + strings.Join(other, " "))
			}
		}
	}
}

// A tail is the last words of a text, tokenized, and the text before them.
type tail struct{ before, text string }

// tails returns the tails of up to most words, the longest first.
func tails(typed string, most int) (out []tail) {
	rest := typed
	var words []string
	for len(out) < most {
		trimmed := strings.TrimRightFunc(rest, unicode.IsSpace)
		start := afterLast(trimmed, func(r rune) bool { return !isLetter(r) })
		word := query.Words(trimmed[start:])
		if len(word) != 1 || strings.TrimSpace(rest[len(trimmed):]) != "" {
			break
		}
		rest, words = trimmed[:start], append(word, words...)
		out = append([]tail{{rest, strings.Join(words, " ")}}, out...)
	}
	return out
}

func isLetter(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.M) || r == '\'' || r == '’'
}

// corrected returns the text before the last word with near words in place of unknown ones.
func (s *Source) corrected(head string) string {
	corrector := s.Words.Corrector()
	var b strings.Builder
	for i := 0; i < len(head); {
		letters := strings.IndexFunc(head[i:], isLetter)
		if letters < 0 {
			letters = len(head) - i
		}
		b.WriteString(head[i : i+letters])
		i += letters
		end := strings.IndexFunc(head[i:], func(r rune) bool { return !isLetter(r) })
		if end < 0 {
			end = len(head) - i
		}
		word := head[i : i+end]
		i += end
		words := query.Words(word)
		next, _ := utf8.DecodeRuneInString(head[i:])
		if i == len(head) || next != '"' && !unicode.IsSpace(next) || len(words) != 1 || isOperator(word) || s.knows(words[0]) {
			b.WriteString(word)
			continue
		}
		b.WriteString(cmp.Or(corrector.Instead(words[0]), word))
	}
	return b.String()
}

func isOperator(word string) bool { return word == "AND" || word == "OR" || word == "NOT" }

func (s *Source) knows(word string) bool {
	return s.Words.Documents(word) > 0 || s.Own != nil && s.Own.Documents(word) > 0
}
