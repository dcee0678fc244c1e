package main

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
)

// pdfTime limits the time for one PDF. Whole books take a second or two.
const pdfTime = 20 * time.Second

// maxPDF is the largest PDF that is read; most are a hundredth of it. maxPDFOut limits how much text is taken from it,
// maxPDFSaid how much of its reader's error messages.
const (
	maxPDF     = 128 << 20
	maxPDFOut  = 16 << 20
	maxPDFSaid = 4 << 10
)

// pdfChild marks the environment of a process that reads a PDF, so that it never starts another one.
const pdfChild = "VARVE_PDF_CHILD"

type pdfTextCmd struct {
	Memory uint64        `help:"Limit in bytes." default:"536870912"`
	Time   time.Duration `help:"Limit to the time at work." default:"20s"`
}

// Run reads a PDF on standard input and prints its text. Archived PDFs may be hostile: the parser may never
// finish, and some inflate without end. So varve runs this command as a separate process, with limits.
func (c *pdfTextCmd) Run(p *program) error {
	if err := limitProcess(c.Memory, uint64(c.Time/time.Second)); err != nil {
		return fmt.Errorf("no limits: %w", err)
	}
	debug.SetMemoryLimit(int64(c.Memory / 2)) // from here on the garbage collector works harder
	go watchMemory(c.Memory)
	b, err := io.ReadAll(io.LimitReader(os.Stdin, maxPDF+1))
	if err != nil {
		return err
	}
	if len(b) > maxPDF {
		return errors.New("the PDF is too large to be read")
	}
	text, err := pdf.Text(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.stdout, text)
	return err
}

// watchMemory ends this process when it holds more than limit. The kernel's limit is more reliable, if there is one.
func watchMemory(limit uint64) {
	held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		metrics.Read(held)
		if held[0].Value.Uint64()-held[1].Value.Uint64() > limit {
			fmt.Fprintln(os.Stderr, "the PDF takes too much memory")
			os.Exit(exitPart)
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

// readPDF returns the text of a PDF. A separate process reads it, which is killed if it takes too long.
func readPDF(ctx context.Context, body []byte) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(self, ".test") || os.Getenv(pdfChild) != "" {
		return "", errors.New("a test binary, or a process that already reads a PDF, must not start another one")
	}
	ctx, cancel := context.WithTimeout(ctx, pdfTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "pdf-text")
	cmd.Env = append(os.Environ(), pdfChild+"=1", "GOTRACEBACK=none")
	cmd.Stdin = bytes.NewReader(body)
	out, said := capped{most: maxPDFOut}, capped{most: maxPDFSaid}
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s (%w)", strings.TrimSpace(said.String()), err)
	}
	return out.String(), nil
}
