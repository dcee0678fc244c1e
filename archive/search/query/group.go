package query

import (
	"slices"
	"strings"
	"unicode"
)

const (
	maxDepth  = 16 // parentheses in parentheses; deeper ones are text
	maxGroups = 64 // that a combination of OR and AND may have; what has more is read as if there were no OR
)

// Operators, as separate words in capital letters.
const (
	opAnd = "AND"
	opOr  = "OR"
	opNot = "NOT"
)

// terms are what has to hold, all together: of each list one clause. Where a list has one clause that may be missing, it is a wish.
type terms [][]Clause

// add adds a clause, unless it is there already. What has to hold takes the place of the same as a wish.
func (t *terms) add(c Clause) {
	for _, list := range *t {
		if len(list) == 1 && list[0].asks(&c) {
			list[0].Wish = list[0].Wish && c.Wish
			return
		}
	}
	*t = append(*t, []Clause{c})
}

// join adds other terms.
func (t *terms) join(o terms) {
	for _, list := range o {
		if len(list) == 1 {
			t.add(list[0])
		} else {
			*t = append(*t, list)
		}
	}
}

// demand makes wishes what has to hold.
func (t terms) demand() terms {
	for _, list := range t {
		for i := range list {
			list[i].Wish = false
		}
	}
	return t
}

// or returns the terms of which these or those hold: (a AND b) OR c is a OR c, and b OR c. Exclusions exclude, wherever they stand.
func (t terms) or(o terms) (out terms) {
	if len(t)*len(o) > maxGroups {
		t.join(o)
		return t
	}
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

// union returns the clauses of two lists, each once.
func union(a, b []Clause) []Clause {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.ContainsFunc(out, func(o Clause) bool { return o.asks(&c) }) {
			out = append(out, c)
		}
	}
	return out
}

// exclude makes of terms what must not be there.
func (t terms) exclude() (out terms) {
	for _, list := range t {
		for _, c := range list {
			c.Not, c.Wish = !c.Not, false
			out.add(c)
		}
	}
	return out
}

// clauses returns the clauses, with the numbers of their groups.
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

// query reads all.
func (p *parser) query() Query {
	var all terms
	for p.more() {
		all.join(p.either())
		if p.more() && p.rest[0] == ')' {
			p.rest = p.rest[1:] // nothing opened it
		}
	}
	return Query{Clauses: all.clauses()}
}

// more passes over white space and reports whether anything follows.
func (p *parser) more() bool {
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	return p.rest != ""
}

// operator passes over an operator, if one comes next and something is behind it.
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

// either reads what OR connects.
func (p *parser) either() terms {
	out := p.both()
	for len(out) > 0 && p.operator(opOr) {
		out = out.or(p.both())
	}
	return out
}

// both reads what AND connects.
func (p *parser) both() terms {
	out := p.unit()
	for len(out) > 0 && p.operator(opAnd) {
		out = out.demand()
		out.join(p.unit().demand())
	}
	return out
}

// unit reads an item, or what is in parentheses.
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

// group reads what is behind an opening parenthesis, up to the one that closes it or the end.
func (p *parser) group() (out terms) {
	p.depth++
	defer func() { p.depth-- }()
	for p.more() && p.rest[0] != ')' {
		out.join(p.either())
	}
	p.rest = strings.TrimPrefix(p.rest, ")")
	return out
}
