// Command tally summarizes the output of go test -json: a line for each package when it ends, everything that a failed
// test printed, and at the end why tests were skipped and how many passed, failed and were skipped.
//
// A test that ran several times (for example with and without the race detector) counts once: as failed if it failed
// once, as skipped only if it never ran. Exit codes: 0 no test failed, 1 some did.
//
// A few failed tests are run once more, alone, when all others have ended, and the result counts. Tests that wait for
// browsers or measure how work grows may lose to a busy machine, which says nothing about the program; each such test is
// named at the end, so that it can be made steadier. For this, the stream has two events that are not go test's own,
// around the output of each go test: "begin" with its arguments (without -json) and "exit" with its exit code.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	t := newTally(os.Stdout)
	if err := t.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	for _, r := range t.secondChances() {
		if err := t.run(r); err != nil {
			fmt.Fprintln(os.Stderr, "tally:", err)
			os.Exit(1)
		}
	}
	if failed := t.close(); failed > 0 {
		os.Exit(1)
	}
}

// run runs tests once more.
func (t *tally) run(r retry) error {
	cmd := exec.Command("go", append([]string{"test"}, r.arguments()...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := t.read(out); err != nil {
		return err
	}
	_ = cmd.Wait() // what failed has said so
	return nil
}

// An event is a line of go test -json ("go doc test2json").
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64 // seconds
}

// read reads events to the end of r. It passes on lines that aren't events.
func (t *tally) read(r io.Reader) error {
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadBytes('\n')
		var e event
		if len(line) > 0 && json.Unmarshal(line, &e) == nil {
			t.take(e)
		} else {
			t.out.Write(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
