package rewrite

import (
	"strings"
	"testing"

	"github.com/varve-archive/varve/rewrite/uses"
)

// A name whose meaning is known only when the script runs is looked up then, and so is what the script assigns to.
func TestNamesWhoseMeaningIsOnlyKnownLater(t *testing.T) {
	assigned := []string{
		"location = 1", "location += 1", "location -= 1", "location *= 1", "location /= 1", "location %= 1", "location &= 1", "location |= 1",
		"location ^= 1", "location **= 1", "location <<= 1", "location >>= 1", "location >>>= 1", "location &&= 1",
		"location ||= 1", "location ??= 1", "location++", "location--", "++location", "--location",
		"[location] = b", "for (location of b) ;", "({a: location} = b)", "[[location]] = b", "for ([location] of b) ;",
	}
	const either = "_varve_((_varve_(location)===_varve_.location?_varve_:" +
		"{set location(_){location=_},get location(){return location}})).location"
	for _, in := range assigned {
		rewritten(t, uses.Script, "with (a) { "+in+" }", "with (a) { "+strings.Replace(in, "location", either, 1)+" }")
		rewritten(t, uses.Script, in, strings.Replace(in, "location", "_varve_.location", 1))
	}
	rewritten(t, uses.Script, "with (a) { delete location }", "with (a) { delete _varve_.location }")
	rewritten(t, uses.Script, "with (a) { new location(1) }", "with (a) { new (_varve_(location))(1) }")
	read := []string{
		"b = location", "location == b", "location === b", "location != b", "location + b", "location - b", "location * b", "location / b",
		"location < b", "location <= b", "location >= b", "location % b", "location ? b : c", "f(location)", "location.href",
		"location[0]", "!location", "[location]", "[[location], b]", "({b: location})", "[location] == b", "[() => [location]]", "b[location]",
	}
	for _, in := range read {
		rewritten(t, uses.Script, "with (a) { "+in+" }", "with (a) { "+strings.Replace(in, "location", "_varve_(location)", 1)+" }")
	}
}

func TestWhereNamesAreDeclared(t *testing.T) {
	for _, tt := range []struct {
		name     string
		use      uses.Use
		in, want string
	}{
		{
			"a class expression's name is seen in it", uses.Script, "x = class top { a() { top } }; top",
			"x = class top { a() { top } }; _varve_.top",
		},
		{
			"a class's name is seen in its block", uses.Script, "{ class top { a() { top } } top } top",
			"{ class top { a() { top } } top } _varve_.top",
		},
		{
			"a function expression's name is seen in it", uses.Script, "x = function top() { top }; top",
			"x = function top() { top }; _varve_.top",
		},
		{"a default class has a name", uses.Module, "export default class self {}\nself; top", "export default class self {}\nself; _varve_.top"},
		{
			"a default function too", uses.Module, "export default function self() {}\nself; top",
			"export default function self() {}\nself; _varve_.top",
		},
		{"let takes a list", uses.Script, "{ let [top] = a; top }", "{ let [top] = a; top }"},
		{"let takes a pattern", uses.Script, "{ let {top} = a; top }", "{ let {top} = a; top }"},
		{"let takes a dollar sign", uses.Script, "{ let $a = top, self = 1; self }", "{ let $a = _varve_.top, self = 1; self }"},
		{"let takes letters beyond ASCII", uses.Script, "{ let ä = top, self = 1; self }", "{ let ä = _varve_.top, self = 1; self }"},
		{"let takes an escaped name", uses.Script, `{ let \u0061 = top, self = 1; self }`, `{ let \u0061 = _varve_.top, self = 1; self }`},
		{"let may be a name", uses.Script, "let = top; let in self", "let = _varve_.top; let in _varve_.self"},
		{
			"what is behind return on its line is an object", uses.Script, "function f() { return {top} }",
			"function f() { return {top:_varve_.top} }",
		},
		{"and on the next a block", uses.Script, "function f() { return\n{top} }", "function f() { return\n{_varve_.top} }"},
		{"an async function on one line", uses.Script, "x = async function top() { top }; top", "x = async function top() { top }; _varve_.top"},
		{"async on a line of its own", uses.Script, "a = async\nfunction top() {}\nself", "a = async\nfunction top() {}\n_varve_.self"},
		{"a generator behind an arrow's body", uses.Script, "x = () => { top }\n* self", "x = () => { _varve_.top }\n* _varve_.self"},
		{"a comment that doesn't end", uses.Script, "top /* self", "_varve_.top /* self"},
		{"a line comment that ends it", uses.Script, "top // self", "_varve_.top // self"},
		{"a name at the end", uses.Script, "a = top", "a = _varve_.top"},
		{
			"a computed key in a pattern", uses.Script, "{ let {[top]: self} = a; self; top }",
			"{ let {[_varve_.top]: self} = a; self; _varve_.top }",
		},
		{
			"a function as a field's value is divided", uses.Script, "class a { b = function() {} / top / 2; self = top }",
			"class a { b = function() {} / _varve_.top / 2; self = _varve_.top }",
		},
		{
			"a method isn't, and a field follows it", uses.Script, "class a { b() {} top = self; c() {} static self = top }",
			"class a { b() {} top = _varve_.self; c() {} static self = _varve_.top }",
		},
		{
			"methods whose names are strings and numbers", uses.Script, `x = {"a"(top) { top }, 1(self) { self; top }}; self`,
			`x = {"a"(top) { top }, 1(self) { self; _varve_.top }}; _varve_.self`,
		},
		{
			"those of a class", uses.Script, "class a { 'b'(top) { top } 1(self) { self } #c(parent) { parent } static 'd'() { top } }",
			"class a { 'b'(top) { top } 1(self) { self } #c(parent) { parent } static 'd'() { _varve_.top } }",
		},
		{"a class of an object", uses.Script, "class a extends {top} {}", "class a extends {top:_varve_.top} {}"},
		{"what a module hands on isn't its own", uses.Module, "export {top} from 'a'; top", "export {top} from 'a'; _varve_.top"},
		{"of as a name", uses.Script, "a\nof\n/top/self", "a\nof\n/_varve_.top/_varve_.self"},
		{"a comment before an arrow", uses.Script, "top /* a */ => top", "top /* a */ => top"},
		{"a comment before a colon", uses.Script, "top /* a */ : for (;;) break top", "top /* a */ : for (;;) break top"},
	} {
		t.Run(tt.name, func(t *testing.T) { rewritten(t, tt.use, tt.in, tt.want) })
	}
}

func TestThisAtTheEdges(t *testing.T) {
	for in, want := range map[string]string{
		"a = this":         "a = _varve_(this)",
		"a = this ":        "a = _varve_(this) ",
		"this":             "_varve_(this)",
		"this ? a : b":     "_varve_(this) ? a : b",
		`this["location"]`: `_varve_(this)["location"]`,
		"this [ 'top' ]":   "_varve_(this) [ 'top' ]",
		"this['x']":        "this['x']",
		"this[top]":        "this[_varve_.top]",
		"this . top":       "_varve_(this) . top",
		"this.eval(a)":     "this.eval(a)",
		"this.tops":        "this.tops",
		"this.top_":        "this.top_",
		"this(a)":          "this(a)",
		"new this":         "new this",
		"this\n.x":         "this\n.x",
		"this?.x":          "this?.x",
		"this?.location":   "_varve_(this)?.location",
	} {
		rewritten(t, uses.Script, in, want)
	}
}
