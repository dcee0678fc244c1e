package main

import (
	"fmt"
	"slices"
	"strings"
)

// A source is a standard, or a server whose parameters clients send.
type source struct {
	name  string // as tests quote it: "RFC 7089"
	about string // a paragraph before the table
	what  string // what its rows are called
	rows  []row
}

// A row says how varve handles one clause. A test is named by its folder and function, optionally with a case, as in
// "cdx.TestAPISelects//filter not": a string in that function.
type row struct {
	clause string
	demand string // in our own words
	answer answer
	why    string // required unless the answer is yes
	tests  []string
}

type answer string

const (
	yes    answer = "yes"
	partly answer = "partly"
	no     answer = "no"
)

var sources = slices.Concat(standards(), servers())

// withQuotes adds to each row the tests that quote its clause and that the row doesn't name.
func withQuotes(sources []source, t *tree) []source {
	sources = slices.Clone(sources)
	for i, s := range sources {
		sources[i].rows = slices.Clone(s.rows)
		for j, r := range s.rows {
			tests := slices.Clone(r.tests)
			for _, q := range t.quotes {
				named := func(id string) bool { function, _, _ := strings.Cut(id, caseMark); return function == q.test }
				if q.test != "" && q.source == s.name && "§"+q.clause == r.clause && !slices.ContainsFunc(tests, named) {
					tests = append(tests, q.test)
				}
			}
			sources[i].rows[j].tests = tests
		}
	}
	return sources
}

// caseMark separates a test's function from one of its cases. A single slash would not do, because folders have slashes
// too.
const caseMark = "//"

// check returns what is wrong with the table.
func check(sources []source, t *tree) []error {
	var wrong []error
	for _, s := range sources {
		seen := map[string]bool{}
		for _, r := range s.rows {
			if seen[r.clause+r.demand] {
				wrong = append(wrong, fmt.Errorf("%s %s: is there twice", s.name, r.clause))
			}
			seen[r.clause+r.demand] = true
			for _, problem := range r.check(t) {
				wrong = append(wrong, fmt.Errorf("%s %s: %s", s.name, r.clause, problem))
			}
		}
		wrong = append(wrong, s.unanswered(t)...)
	}
	return wrong
}

func (r *row) check(t *tree) (problems []string) {
	switch {
	case !slices.Contains([]answer{yes, partly, no}, r.answer):
		problems = append(problems, fmt.Sprintf("the answer is %q", r.answer))
	case r.answer != yes && r.why == "":
		problems = append(problems, "does not say why")
	case r.answer != no && len(r.tests) == 0:
		problems = append(problems, "no test shows it")
	}
	for _, id := range r.tests {
		function, name, isCase := strings.Cut(id, caseMark)
		if found, ok := t.tests[function]; !ok {
			problems = append(problems, "there is no test "+function)
		} else if isCase && !found.texts[name] {
			problems = append(problems, fmt.Sprintf("%s has no case %q", function, name))
		}
	}
	return problems
}

// unanswered returns the clauses that tests quote and the table lacks.
func (s *source) unanswered(t *tree) []error {
	var wrong []error
	for _, q := range t.quotes {
		has := func(r row) bool { return r.clause == "§"+q.clause }
		if q.source == s.name && !slices.ContainsFunc(s.rows, has) {
			wrong = append(wrong, fmt.Errorf("%s §%s is quoted in %s %s and not in the table", s.name, q.clause, q.file, q.test))
		}
	}
	return wrong
}
