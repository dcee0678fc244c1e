package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const module = "github.com/varve-archive/varve"

// Verdicts, the weightier ones higher.
const (
	skipped = iota + 1
	passed
	failed
)

// A test is known by its package and name; a package that fails without a failed test stands here without a name.
type test struct {
	pkg, name string
}

type tally struct {
	out      io.Writer
	running  map[string]*progress
	verdicts map[test]int
	reasons  map[test]string
}

// progress is what is known of a package whose tests are running.
type progress struct {
	order    []string            // of tests, by their first output; "" is the package itself
	output   map[string][]string // of those that may still fail
	verdicts map[string]int
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, running: map[string]*progress{}, verdicts: map[test]int{}, reasons: map[test]string{}}
}

func (t *tally) take(e event) {
	switch e.Action {
	case "build-output":
		io.WriteString(t.out, e.Output)
	case "output":
		t.progress(e.Package).write(e.Test, e.Output)
	case "pass":
		t.end(e, passed)
	case "skip":
		t.end(e, skipped)
	case "fail":
		t.end(e, failed)
	}
}

func (t *tally) progress(pkg string) *progress {
	p := t.running[pkg]
	if p == nil {
		p = &progress{output: map[string][]string{}, verdicts: map[string]int{}}
		t.running[pkg] = p
	}
	return p
}

func (p *progress) write(name, output string) {
	if _, known := p.output[name]; !known {
		p.order = append(p.order, name)
	}
	p.output[name] = append(p.output[name], output)
}

// end takes the verdict on a test or, where none is named, on a package.
func (t *tally) end(e event, verdict int) {
	p := t.progress(e.Package)
	if e.Test == "" {
		t.endPackage(e, p, verdict)
		return
	}
	if verdict == skipped {
		t.reasons[test{e.Package, e.Test}] = reason(p.output[e.Test])
	}
	if verdict != failed {
		p.output[e.Test] = nil
	}
	p.verdicts[e.Test] = verdict
}

func (t *tally) endPackage(e event, p *progress, verdict int) {
	delete(t.running, e.Package)
	if verdict == failed {
		p.blame()
	}
	for name, v := range p.verdicts {
		id := test{e.Package, name}
		t.verdicts[id] = max(t.verdicts[id], v)
	}
	t.line(e, p)
	if verdict == failed {
		p.print(t.out)
	}
}

// blame makes tests that have no end failed ones, for they ended the package; where there is no failed test at all it is the
// package itself that failed.
func (p *progress) blame() {
	for _, name := range p.order {
		if name != "" && p.verdicts[name] == 0 {
			p.verdicts[name] = failed
		}
	}
	if p.count(failed) == 0 {
		p.verdicts[""] = failed
	}
}

func (p *progress) count(verdict int) (n int) {
	for _, v := range p.verdicts {
		if v == verdict {
			n++
		}
	}
	return n
}

// print writes all that failed tests wrote, and the package itself.
func (p *progress) print(out io.Writer) {
	for _, name := range p.order {
		if name == "" || p.verdicts[name] == failed {
			io.WriteString(out, strings.Join(p.output[name], ""))
		}
	}
}

// line says how a package went.
func (t *tally) line(e event, p *progress) {
	word := "ok"
	if e.Action == "fail" {
		word = "FAIL"
	}
	took := fmt.Sprintf("%.1f s", e.Elapsed)
	if strings.Contains(strings.Join(p.output[""], ""), "\t(cached)") {
		took = "cached"
	}
	name := cmp.Or(strings.TrimPrefix(strings.TrimPrefix(e.Package, module), "/"), ".")
	tests := len(p.verdicts)
	if _, itself := p.verdicts[""]; itself {
		tests--
	}
	fmt.Fprintf(t.out, "%-4s  %-22s %9s %6d tests", word, name, took, tests)
	if n := p.count(skipped); n > 0 {
		fmt.Fprintf(t.out, ", %d skipped", n)
	}
	if n := p.count(failed); n > 0 {
		fmt.Fprintf(t.out, ", %d failed", n)
	}
	fmt.Fprintln(t.out)
}

// close says why tests were skipped and how many there were of each verdict, and returns how many failed.
func (t *tally) close() int {
	for pkg, p := range t.running { // go test itself was ended
		t.endPackage(event{Action: "fail", Package: pkg}, p, failed)
	}
	counts, reasons := map[int]int{}, map[string]int{}
	for id, v := range t.verdicts {
		counts[v]++
		if v == skipped {
			reasons[t.reasons[id]]++
		}
	}
	if len(reasons) > 0 {
		fmt.Fprintln(t.out, "\nskipped:")
	}
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(reasons[b]-reasons[a], strings.Compare(a, b))
	}) {
		fmt.Fprintf(t.out, "%6d  %s\n", reasons[why], why)
	}
	fmt.Fprintf(t.out, "\n%d passed, %d failed, %d skipped\n", counts[passed], counts[failed], counts[skipped])
	return counts[failed]
}

// logged matches a line that a test logged.
var logged = regexp.MustCompile(`^\s*\S+\.go:\d+: (.*)$`)

// reason returns the last thing that a skipped test said.
func reason(output []string) string {
	for _, line := range slices.Backward(strings.Split(strings.Join(output, ""), "\n")) {
		if m := logged.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return "(no reason given)"
}
