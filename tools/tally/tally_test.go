package main

import (
	"strings"
	"testing"
)

// stream builds events from a short form: ACTION PACKAGE [TEST] [| OUTPUT].
func stream(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		head, output, _ := strings.Cut(line, " | ")
		f := append(strings.Fields(head), "")
		b.WriteString(`{"Action":"` + f[0] + `","Package":"github.com/varve-archive/varve/` + f[1] + `","Test":"` + f[2] +
			`","Elapsed":1.5,"Output":"` + output + `\n"}` + "\n")
	}
	return b.String()
}

func TestTally(t *testing.T) {
	tests := []struct {
		name   string
		stream string
		want   string
		failed int
	}{
		{
			"what passed is a line and a number",
			stream("run cdx TestA", "output cdx TestA | === RUN TestA", "output cdx TestA | chatter", "pass cdx TestA", "pass cdx"),
			`ok    cdx                        1.5 s      1 tests

1 passed, 0 failed, 0 skipped
`, 0,
		},
		{
			"a failed test is shown whole, its neighbours not",
			stream("output cdx TestA | chatter", "pass cdx TestA", "output cdx TestB | a_test.go:3: one", "output cdx TestB/x | a_test.go:4: two",
				"fail cdx TestB/x", "fail cdx TestB", "output cdx | FAIL", "fail cdx"),
			`FAIL  cdx                        1.5 s      3 tests, 2 failed
a_test.go:3: one
a_test.go:4: two
FAIL

1 passed, 2 failed, 0 skipped
`, 2,
		},
		{
			"reasons for skipping are counted, the most frequent first",
			stream("output warc TestA |     a_test.go:3: no chromium", "output warc TestA | --- SKIP: TestA (0.00s)", "skip warc TestA",
				"skip warc TestD", "pass warc",
				"output cdx TestB |     b_test.go:5: read a file", "output cdx TestB |     b_test.go:9: no corpus", "skip cdx TestB",
				"output cdx TestC |     b_test.go:7: no corpus", "skip cdx TestC", "pass cdx"),
			`ok    warc                       1.5 s      2 tests, 2 skipped
ok    cdx                        1.5 s      2 tests, 2 skipped

skipped:
     2  no corpus
     1  (no reason given)
     1  no chromium

0 passed, 0 failed, 4 skipped
`, 0,
		},
		{
			"what a second run does is not skipped",
			stream("skip cdx TestA", "pass cdx TestB", "pass cdx", "pass cdx TestA", "pass cdx TestB", "pass cdx"),
			`ok    cdx                        1.5 s      2 tests, 1 skipped
ok    cdx                        1.5 s      2 tests

2 passed, 0 failed, 0 skipped
`, 0,
		},
		{
			"what failed once has failed",
			stream("fail cdx TestA", "fail cdx", "pass cdx TestA", "pass cdx"),
			`FAIL  cdx                        1.5 s      1 tests, 1 failed
ok    cdx                        1.5 s      1 tests

0 passed, 1 failed, 0 skipped
`, 1,
		},
		{
			"a package that does not build has failed",
			stream("build-output cdx | cdx/a.go:1:1: no", "fail cdx"),
			`cdx/a.go:1:1: no
FAIL  cdx                        1.5 s      0 tests, 1 failed

0 passed, 1 failed, 0 skipped
`, 1,
		},
		{
			"a test that ends its package has failed",
			stream("output cdx TestA | panic: timed out", "output cdx | FAIL", "fail cdx"),
			`FAIL  cdx                        1.5 s      1 tests, 1 failed
panic: timed out
FAIL

0 passed, 1 failed, 0 skipped
`, 1,
		},
		{
			"a stream that breaks off has failed",
			stream("output cdx TestA | begun"),
			`FAIL  cdx                        0.0 s      1 tests, 1 failed
begun

0 passed, 1 failed, 0 skipped
`, 1,
		},
		{
			"remembered results say so",
			stream("pass cdx TestA", `output cdx | ok  \tcdx\t(cached)`, "pass cdx"),
			`ok    cdx                       cached      1 tests

1 passed, 0 failed, 0 skipped
`, 0,
		},
		{
			"lines that are no events come through",
			"warning: something\n" + stream("skip static"),
			`warning: something
ok    static                     1.5 s      0 tests

0 passed, 0 failed, 0 skipped
`, 0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			c := newTally(&out)
			if err := c.read(strings.NewReader(tt.stream)); err != nil {
				t.Fatal(err)
			}
			if failed := c.close(); failed != tt.failed {
				t.Errorf("%d failed, want %d", failed, tt.failed)
			}
			if out.String() != tt.want {
				t.Errorf("told:\n%s\nwant:\n%s", out.String(), tt.want)
			}
		})
	}
}
