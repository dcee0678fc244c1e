package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// most is how many tests may be tried again. More failures than that have a cause.
const most = 5

// An invocation is one run of go test, announced by an event "begin" and closed by an event "exit", which are not go test's own.
type invocation struct {
	flags  []string // without the packages; nil if nothing was announced
	failed bool     // since its beginning
}

// begin takes the arguments of go test that the following events come from.
func (t *tally) begin(arguments string) {
	t.current = invocation{flags: []string{}}
	for _, argument := range strings.Fields(arguments) {
		if argument != "." && !strings.HasPrefix(argument, "./") {
			t.current.flags = append(t.current.flags, argument)
		}
	}
}

// exit takes the exit code of go test. One that fails without a failed test couldn't run them.
func (t *tally) exit(code string) {
	if strings.TrimSpace(code) != "0" && !t.current.failed {
		t.verdicts[test{"go test " + strings.Join(t.current.flags, " "), ""}] = failed
	}
}

// A retry is what is to be run once more: tests of one package that failed by themselves.
type retry struct {
	pkg   string
	flags []string
	names []string // of top-level tests
}

// arguments returns those of go test.
func (r retry) arguments() []string {
	names := make([]string, len(r.names))
	for i, name := range r.names {
		names[i] = regexp.QuoteMeta(name)
	}
	return append(slices.Clone(r.flags), "-json", "-count=1", "-run", "^("+strings.Join(names, "|")+")$", r.pkg)
}

// remember notes which tests of a package that failed may be tried again: not those of a package that didn't build, that was ended by
// a test, or where the race detector saw something, because that may not happen a second time and is a fault nevertheless.
func (t *tally) remember(pkg string, p *progress) {
	t.current.failed = true
	names := map[string]bool{}
	for name, v := range p.verdicts {
		if v == failed {
			top, _, _ := strings.Cut(name, "/")
			names[top] = true
		}
	}
	if t.current.flags == nil || p.broken || names[""] || p.said("DATA RACE") {
		t.hopeless = true
		return
	}
	t.retries = append(t.retries, retry{pkg, t.current.flags, slices.Sorted(maps.Keys(names))})
}

func (p *progress) said(words string) bool {
	for _, output := range p.output {
		if strings.Contains(strings.Join(output, ""), words) {
			return true
		}
	}
	return false
}

// sayUnsteady names the tests that were tried again. One that did not run has failed.
func (t *tally) sayUnsteady() {
	for i, id := range t.unsteady {
		if i == 0 {
			fmt.Fprintln(t.out, "\nfailed at first, then run once more:")
		}
		if t.verdicts[id] == 0 {
			t.verdicts[id] = failed
		}
		word := "passed"
		if t.verdicts[id] == failed {
			word = "failed"
		}
		fmt.Fprintf(t.out, "%8s  %s %s\n", word, short(id.pkg), id.name)
	}
}

// secondChances returns what is to be run once more: nothing if something failed that can't be, or too much. Its tests
// have no verdict from then on.
func (t *tally) secondChances() []retry {
	count := 0
	for _, r := range t.retries {
		count += len(r.names)
	}
	if t.hopeless || count > most {
		return nil
	}
	for _, r := range t.retries {
		maps.DeleteFunc(t.verdicts, func(id test, _ int) bool {
			top, _, _ := strings.Cut(id.name, "/")
			return id.pkg == r.pkg && slices.Contains(r.names, top)
		})
		for _, name := range r.names {
			t.unsteady = append(t.unsteady, test{r.pkg, name})
		}
	}
	return t.retries
}
