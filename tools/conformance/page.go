package main

import (
	"bytes"
	"fmt"
	"strings"
)

const head = `# Conformance

<!-- Made by tools/conformance from its table and from the tests: make conformance. -->

What varve does with each clause and each parameter, and the tests that show it. *partly* and *no* say why. A clause that is not here
has not been judged. Where servers differ, the wayback CDX server's word goes first.
`

// render renders the page. Each test's name links to its file.
func render(sources []source, t *tree) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for _, s := range sources {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s\n\n", s.Name, s.About, s.tally())
		fmt.Fprintf(&b, "| %s | what is asked | | why, or how | tests |\n|---|---|---|---|---|\n", s.What)
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(r.Clause), cell(r.Demand), r.Answer, cell(r.Why), r.links(t))
		}
	}
	return b.Bytes()
}

func (s *source) tally() string {
	count := map[answer]int{}
	for _, r := range s.Rows {
		count[r.Answer]++
	}
	return fmt.Sprintf("%d yes, %d partly, %d no.", count[yes], count[partly], count[no])
}

func (r *row) links(t *tree) string {
	var links []string
	for _, id := range r.Tests {
		function, name, _ := strings.Cut(id, caseMark)
		short := function[strings.LastIndex(function, ".")+1:]
		link := fmt.Sprintf("[%s](../%s)", short, t.tests[function].file)
		if name != "" {
			link += " (" + cell(name) + ")"
		}
		links = append(links, link)
	}
	return strings.Join(links, "<br>")
}

// cell escapes a text so that it stays within its column.
func cell(s string) string {
	return strings.ReplaceAll(s, "|", `\|`)
}
