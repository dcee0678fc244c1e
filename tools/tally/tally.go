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

// The verdicts. Of several for one test the highest counts.
const (
	skipped = iota + 1
	passed
	failed
)

// A test is identified by package and name. The name is empty for a package that fails without a failed test.
type test struct {
	pkg, name string
}

type tally struct {
	out      io.Writer
	running  map[string]*progress
	verdicts map[test]int
	reasons  map[test]string

	current  invocation
	retries  []retry
	unsteady []test // that were tried again
	hopeless bool   // something failed that can't be tried again
}

// progress is the state of a package whose tests are running.
type progress struct {
	order    []string            // of tests, in the order of their first output; "" is the package itself
	output   map[string][]string // of tests that may still fail
	verdicts map[string]int
	broken   bool // a test ended the package
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
	case "begin":
		t.begin(e.Output)
	case "exit":
		t.exit(e.Output)
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

// end records the verdict on a test or, if none is named, on a package.
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
		t.remember(e.Package, p)
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

// blame marks tests without an end as failed, because they ended the package. If no test failed, the package itself
// did.
func (p *progress) blame() {
	for _, name := range p.order {
		if name != "" && p.verdicts[name] == 0 {
			p.verdicts[name] = failed
			p.broken = true
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

// print writes everything that failed tests printed, and the package itself.
func (p *progress) print(out io.Writer) {
	for _, name := range p.order {
		if name == "" || p.verdicts[name] == failed {
			io.WriteString(out, strings.Join(p.output[name], ""))
		}
	}
}

// line writes the result of a package.
func (t *tally) line(e event, p *progress) {
	word := "ok"
	if e.Action == "fail" {
		word = "FAIL"
	}
	took := fmt.Sprintf("%.1f s", e.Elapsed)
	if strings.Contains(strings.Join(p.output[""], ""), "\t(cached)") {
		took = "cached"
	}
	tests := len(p.verdicts)
	if _, itself := p.verdicts[""]; itself {
		tests--
	}
	fmt.Fprintf(t.out, "%-4s  %-22s %9s %6d tests", word, short(e.Package), took, tests)
	if n := p.count(skipped); n > 0 {
		fmt.Fprintf(t.out, ", %d skipped", n)
	}
	if n := p.count(failed); n > 0 {
		fmt.Fprintf(t.out, ", %d failed", n)
	}
	fmt.Fprintln(t.out)
}

// short returns a package's path in the module.
func short(pkg string) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/"), ".")
}

// close writes why tests were skipped and how many tests got each verdict. It returns how many failed.
func (t *tally) close() int {
	for pkg, p := range t.running { // go test itself was killed
		t.endPackage(event{Action: "fail", Package: pkg}, p, failed)
	}
	t.sayUnsteady()
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

// reason returns the last thing that a skipped test logged.
func reason(output []string) string {
	for _, line := range slices.Backward(strings.Split(strings.Join(output, ""), "\n")) {
		if m := logged.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return "(no reason given)"
}
