// Package sandbox reads PDFs in a separate process with limits, because archived PDFs may be hostile: their parser may never finish, and
// some inflate without end.
//
// [Read] starts that process: the program itself with the argument pdf-text, which has to call [Serve].
package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/content/pdf"
	"github.com/varve-archive/varve/internal/sentinel"
)

// maxTime limits the time for one PDF. Whole books take a second or two.
const maxTime = 20 * time.Second

// maxFile bounds the bytes of a PDF; most have a hundredth of that. maxText bounds its text, maxErrors the kept error messages of the
// process.
const (
	maxFile   = 128 << 20
	maxText   = 16 << 20
	maxErrors = 4 << 10
)

// ErrLimits says that reading a PDF exceeded the limits of its process.
const ErrLimits = sentinel.Error("reading the text of this PDF takes more time or memory than it is given")

// child marks the environment of a process that reads a PDF, so that it never starts another one.
const child = "VARVE_PDF_CHILD"

// Serve reads a PDF and writes its text, with limits to the memory and the time at work of this process.
func Serve(in io.Reader, out io.Writer, memory uint64, atWork time.Duration) error {
	if err := limitProcess(memory, uint64(atWork/time.Second)); err != nil {
		return fmt.Errorf("no limits: %w", err)
	}
	debug.SetMemoryLimit(int64(memory / 2)) // the garbage collector works harder from here on
	go watchMemory(memory)
	text, err := textOf(in, maxFile)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}

// textOf returns the text of a PDF of at most so many bytes.
func textOf(in io.Reader, most int) (string, error) {
	b, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	if err != nil {
		return "", err
	}
	if len(b) > most {
		return "", errors.New("the PDF is too large to be read")
	}
	return pdf.Text(bytes.NewReader(b), int64(len(b)))
}

const tooMuchMemory = "the PDF takes too much memory"

// watchMemory ends this process when it holds more than limit. The kernel's limit is more reliable, if there is one.
func watchMemory(limit uint64) {
	held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		metrics.Read(held)
		if held[0].Value.Uint64()-held[1].Value.Uint64() > limit {
			fmt.Fprintln(os.Stderr, tooMuchMemory)
			os.Exit(1)
		}
	}
}

// A capped keeps the beginning of what is written to it.
type capped struct {
	bytes.Buffer
	most int
}

func (c *capped) Write(b []byte) (int, error) {
	c.Buffer.Write(b[:min(len(b), c.most-c.Len())])
	return len(b), nil
}

// Read returns the text of a PDF. A separate process reads it, which is killed if it takes too long.
func Read(ctx context.Context, body []byte) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(self, ".test") || os.Getenv(child) != "" {
		return "", errors.New("a test binary, or a process that already reads a PDF, must not start another one")
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "pdf-text")
	cmd.Env = environment()
	cmd.Stdin = bytes.NewReader(body)
	out, said := capped{most: maxText}, capped{most: maxErrors}
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if atLimits(err, said.Bytes()) {
			return "", fmt.Errorf("%w: %s", ErrLimits, err)
		}
		return "", fmt.Errorf("%s (%w)", strings.TrimSpace(said.String()), err)
	}
	return out.String(), nil
}

// environment returns the variables of the process. It needs none of this one's, among which may be keys to object storage.
func environment() []string { return []string{child + "=1", "GOTRACEBACK=none"} }

// atLimits reports whether a process ended because of its limits, rather than because of an invalid file.
func atLimits(err error, said []byte) bool {
	var ended *exec.ExitError
	killed := errors.As(err, &ended) && !ended.Exited()
	return killed || bytes.Contains(said, []byte(tooMuchMemory)) || bytes.Contains(said, []byte("out of memory"))
}
