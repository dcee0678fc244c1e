package query

import (
	"slices"
	"strings"
	"unicode"
)

const maxDepth = 16 // nested parentheses; deeper ones are text

// Operators, as separate words in capital letters.
const (
	opAnd = "AND"
	opOr  = "OR"
	opNot = "NOT"
)

// terms is a conjunction of lists, each a disjunction of clauses. A list of one such clause may be optional.
type terms [][]Clause

// add adds a clause unless it is already there. A required clause replaces an equal optional one.
func (t *terms) add(c Clause) {
	for _, list := range *t {
		if len(list) == 1 && list[0].asks(&c) {
			list[0].Optional = list[0].Optional && c.Optional
			return
		}
	}
	*t = append(*t, []Clause{c})
}

func (t *terms) join(o terms) {
	for _, list := range o {
		if len(list) == 1 {
			t.add(list[0])
		} else {
			*t = append(*t, list)
		}
	}
}

// demand turns optional clauses into required ones.
func (t terms) demand() terms {
	for _, list := range t {
		for i := range list {
			list[i].Optional = false
		}
	}
	return t
}

// or returns the disjunction of t and o in conjunctive form: (a AND b) OR c becomes (a OR c) AND (b OR c). Exclusions and sites apply to
// the whole query, wherever they stand.
func (t terms) or(o terms) (out terms) {
	var not terms
	split := func(of terms) (wanted terms) {
		for _, list := range of {
			if list[0].Not || list[0].Field == Site {
				not.join(terms{list})
			} else {
				wanted = append(wanted, list)
			}
		}
		return wanted.demand()
	}
	a, b := split(t), split(o)
	switch {
	case len(a) == 0:
		out = b
	case len(b) == 0:
		out = a
	}
	for _, x := range a {
		for _, y := range b {
			out.join(terms{union(x, y)})
		}
	}
	out.join(not)
	return out
}

// union returns the distinct clauses of two lists.
func union(a, b []Clause) []Clause {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.ContainsFunc(out, func(o Clause) bool { return o.asks(&c) }) {
			out = append(out, c)
		}
	}
	return out
}

// exclude negates each clause.
func (t terms) exclude() (out terms) {
	for _, list := range t {
		for _, c := range list {
			c.Not, c.Optional = !c.Not, false
			out.add(c)
		}
	}
	return out
}

// clauses returns the clauses, numbered by groups.
func (t terms) clauses() (out []Clause) {
	group := 0
	for _, list := range t {
		if len(list) > 1 {
			group++
			for i := range list {
				list[i].Group = group
			}
		}
		out = append(out, list...)
	}
	return out
}

// query parses the whole text.
func (p *parser) query() Query {
	var all terms
	for p.more() {
		all.join(p.either())
		if p.more() && p.rest[0] == ')' {
			p.rest = p.rest[1:] // an unmatched closing parenthesis
		}
	}
	return Query{Clauses: all.clauses()}
}

// more skips white space and reports whether anything follows.
func (p *parser) more() bool {
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	return p.rest != ""
}

// operator skips an operator if it comes next and is followed by something.
func (p *parser) operator(name string) bool {
	if !p.more() {
		return false
	}
	after, ok := strings.CutPrefix(p.rest, name)
	behind := strings.TrimLeftFunc(after, unicode.IsSpace)
	if !ok || behind == after && !strings.HasPrefix(after, "(") || behind == "" || behind[0] == ')' {
		return false
	}
	p.rest = behind
	return true
}

// either parses operands of OR.
func (p *parser) either() terms {
	out := p.both()
	for len(out) > 0 && p.operator(opOr) {
		other := p.both()
		if p.long = p.long || len(out)*len(other) > maxClauses; !p.long {
			out = out.or(other)
		}
	}
	return out
}

// both parses operands of AND.
func (p *parser) both() terms {
	out := p.unit()
	for len(out) > 0 && p.operator(opAnd) {
		out = out.demand()
		out.join(p.unit().demand())
	}
	return out
}

// unit parses an item, or a group in parentheses.
func (p *parser) unit() terms {
	if p.operator(opNot) {
		return p.unit().exclude()
	}
	if !p.more() {
		return nil
	}
	for _, sign := range []string{"-(", "+(", "("} {
		if p.depth == maxDepth || !strings.HasPrefix(p.rest, sign) {
			continue
		}
		p.rest = p.rest[len(sign):]
		switch inner := p.group(); sign[0] {
		case '-':
			return inner.exclude()
		case '+':
			return inner.demand()
		default:
			return inner
		}
	}
	if p.rest[0] == ')' && p.depth > 0 {
		return nil
	}
	if c, ok := p.item(); ok {
		return terms{{c}}
	}
	return nil
}

// group parses what follows an opening parenthesis, up to the matching one or the end.
func (p *parser) group() (out terms) {
	p.depth++
	defer func() { p.depth-- }()
	for p.more() && p.rest[0] != ')' {
		out.join(p.either())
	}
	p.rest = strings.TrimPrefix(p.rest, ")")
	return out
}
