package search

import (
	"fmt"
	"slices"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/search/history"
)

// A condition is a clause that is ready to be counted in versions.
type condition struct {
	field   Field
	name    string
	column  fields.Column // the column of the named field
	numbers *Range
	phrases []Phrase
	needles []history.Needle
	words   history.Words   // the phrases of one word, if there are many; they are in phrases too
	many    *mergedPostings // the postings of these words, if they were read in advance
}

// manyWords is the number of words from which on they are counted together, in one pass. word* may expand to a thousand.
const manyWords = 8

func (x *Index) newCondition(c Clause) (condition, error) {
	out := condition{field: c.Field, name: c.Name, numbers: c.Numbers, phrases: c.Any}
	if c.Field == FieldNamed {
		var ok bool
		if out.column, ok = x.Fields().Column(c.Name); !ok {
			return out, fmt.Errorf("%w: %s", errNoColumn, c.Name)
		}
	}
	var single []string
	for _, p := range c.Any {
		if len(p) == 1 {
			single = append(single, p[0])
		}
	}
	if len(single) > manyWords {
		out.words = history.NewWords(single)
	}
	for _, p := range c.Any {
		if out.words == nil || len(p) != 1 {
			out.needles = append(out.needles, history.NewNeedle(p))
		}
	}
	return out, nil
}

// isMany reports whether the condition consists of several single words in the text, title or address.
func (c *condition) isMany() bool {
	return c.field != FieldNamed && len(c.phrases) > 1 && !slices.ContainsFunc(c.phrases, func(p Phrase) bool { return len(p) != 1 })
}

// conditions are the clauses of a request. The list has the scored ones, in the order of [PresentRequest.Scored]; then those that must not
// hold; then the other word forms of scored ones.
type conditions struct {
	list   []condition
	must   int      // the first must conditions have to hold
	groups [][2]int // ranges of the list; of each, one condition has to hold
	scored int
	text   bool  // a required condition or group is about the text or title
	barred int   // the end of the conditions that must not hold
	forms  []int // by scored condition: the index of the condition with its other forms, 0 for none
}

func (x *Index) newConditions(req *PresentRequest) (c conditions, err error) {
	add := func(clauses ...Clause) {
		for _, clause := range clauses {
			one, failed := x.newCondition(clause)
			if c.list = append(c.list, one); err == nil {
				err = failed
			}
		}
	}
	add(req.All...)
	c.must = len(c.list)
	c.text = slices.ContainsFunc(slices.Concat(req.All, slices.Concat(req.Any...)), func(c Clause) bool {
		return c.Field == FieldText || c.Field == FieldTitle
	})
	for _, group := range req.Any {
		from := len(c.list)
		add(group...)
		c.groups = append(c.groups, [2]int{from, len(c.list)})
	}
	add(req.Optional...)
	c.scored = len(c.list)
	add(req.None...)
	c.barred, c.forms = len(c.list), make([]int, c.scored)
	for i, clause := range req.Scored() {
		if len(clause.Forms) > 0 {
			c.forms[i] = len(c.list)
			add(Clause{Field: clause.Field, Any: clause.Forms})
		}
	}
	return c, err
}

// A grade says how well a version satisfies a request.
type grade uint8

const (
	unfit grade = iota
	some        // some optional conditions don't hold
	whole
)

// grade returns the grade of a version. holds says whether condition i holds there.
func (c *conditions) grade(holds func(i int) bool) grade {
	for i := c.scored; i < c.barred; i++ {
		if holds(i) {
			return unfit
		}
	}
	for i := range c.must {
		if !holds(i) {
			return unfit
		}
	}
	for _, g := range c.groups {
		found := false
		for i := g[0]; i < g[1] && !found; i++ {
			found = holds(i)
		}
		if !found {
			return unfit
		}
	}
	from, to := c.optional()
	out, found := whole, c.text || from > 0 && from == to
	for i := from; i < to; i++ {
		if holds(i) {
			found = true
		} else {
			out = some
		}
	}
	if !found {
		return unfit
	}
	return out
}

// optional returns the range of the optional conditions.
func (c *conditions) optional() (from, to int) {
	if n := len(c.groups); n > 0 {
		return c.groups[n-1][1], c.scored
	}
	return c.must, c.scored
}

// A matching says which conditions hold in the versions of one document.
type matching struct {
	*conditions
	counts
	own []bool // by scored condition: some version has the word itself, so other forms don't count
}

func (c *conditions) matching(of counts, rows int) matching {
	s := matching{conditions: c, counts: of, own: make([]bool, c.scored)}
	for i := range s.own {
		for row := 0; row < rows && c.forms[i] > 0 && !s.own[i]; row++ {
			s.own[i] = of.count(i, row) > 0
		}
	}
	return s
}

// holds reports whether a condition holds in a version, by the word itself or, if no version has that, by another form.
func (s *matching) holds(i, row int) bool {
	if i < s.scored && s.forms[i] > 0 && !s.own[i] {
		i = s.forms[i]
	}
	return s.count(i, row) > 0
}

func (s *matching) grade(row int) grade {
	return s.conditions.grade(func(i int) bool { return s.holds(i, row) })
}

// fill sets in m how often the scored conditions occur in a version, in any form, and which don't.
func (s *matching) fill(m *Match, row int) {
	m.room(s.scored)
	from, _ := s.optional()
	for i := range s.scored {
		s.add(m, i, i, row)
		if f := s.forms[i]; f > 0 {
			s.add(m, i, f, row)
			m.Formed[i] = !s.own[i]
		}
		if i >= from && !s.holds(i, row) {
			m.Missing = append(m.Missing, i)
		}
	}
}

func (s *matching) add(m *Match, to, i, row int) {
	n := s.places(i, row)
	m.Text[to] += n.text
	m.Title[to] += n.title
	m.URL[to] += n.url
	m.Heading[to] += n.heading
	m.Furniture[to] += n.furniture
}
