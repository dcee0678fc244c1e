package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A source is a standard, or a server whose parameters clients send.
type source struct {
	Name  string // as tests quote it: "RFC 7089"
	About string // a paragraph before the table
	What  string // what its rows are called
	Rows  []row
}

// A row says how varve handles one clause.
type row struct {
	Clause string
	Demand string // in our own words
	Answer answer
	Why    string
	Tests  []string
}

type answer string

const (
	yes    answer = "yes"
	partly answer = "partly"
	no     answer = "no"
)

//go:embed table.yaml
var table []byte

// read returns the table.
func read() (sources []source, err error) {
	d := yaml.NewDecoder(bytes.NewReader(table))
	d.KnownFields(true)
	return sources, d.Decode(&sources)
}

// withQuotes adds to each row the tests that quote its clause and that the row doesn't name.
func withQuotes(sources []source, t *tree) []source {
	sources = slices.Clone(sources)
	for i, s := range sources {
		sources[i].Rows = slices.Clone(s.Rows)
		for j, r := range s.Rows {
			tests := slices.Clone(r.Tests)
			for _, q := range t.quotes {
				named := func(id string) bool { function, _, _ := strings.Cut(id, caseMark); return function == q.test }
				if q.test != "" && q.source == s.Name && "§"+q.clause == r.Clause && !slices.ContainsFunc(tests, named) {
					tests = append(tests, q.test)
				}
			}
			sources[i].Rows[j].Tests = tests
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
		for _, r := range s.Rows {
			if seen[r.Clause+r.Demand] {
				wrong = append(wrong, fmt.Errorf("%s %s: is there twice", s.Name, r.Clause))
			}
			seen[r.Clause+r.Demand] = true
			for _, problem := range r.check(t) {
				wrong = append(wrong, fmt.Errorf("%s %s: %s", s.Name, r.Clause, problem))
			}
		}
		wrong = append(wrong, s.unanswered(t)...)
	}
	return wrong
}

func (r *row) check(t *tree) (problems []string) {
	switch {
	case !slices.Contains([]answer{yes, partly, no}, r.Answer):
		problems = append(problems, fmt.Sprintf("the answer is %q", r.Answer))
	case r.Answer != yes && r.Why == "":
		problems = append(problems, "does not say why")
	case r.Answer != no && len(r.Tests) == 0:
		problems = append(problems, "no test shows it")
	}
	for _, id := range r.Tests {
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
		has := func(r row) bool { return r.Clause == "§"+q.clause }
		if q.source == s.Name && !slices.ContainsFunc(s.Rows, has) {
			wrong = append(wrong, fmt.Errorf("%s §%s is quoted in %s %s and not in the table", s.Name, q.clause, q.file, q.test))
		}
	}
	return wrong
}
