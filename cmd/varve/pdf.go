package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/varve-archive/varve/change/pdf"
)

// pdfTime limits the time for one PDF. Whole books take a second or two.
const pdfTime = 20 * time.Second

// pdfMemory limits the memory for one PDF, because some inflate without end.
const pdfMemory = "512MiB"

// pdfChild marks the environment of a process that reads a PDF, so that it never starts another one.
const pdfChild = "VARVE_PDF_CHILD"

type pdfTextCmd struct{}

// Run reads a PDF on standard input and prints its text. Archived PDFs may be hostile, and the parser may never
// finish, so varve runs this command as a separate process.
func (c *pdfTextCmd) Run(p *program) error {
	b, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	text, err := pdf.Text(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.stdout, text)
	return err
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
	cmd.Env = append(os.Environ(), pdfChild+"=1", "GOMEMLIMIT="+pdfMemory, "GOTRACEBACK=none")
	cmd.Stdin = bytes.NewReader(body)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s (%w)", strings.TrimSpace(said.String()), err)
	}
	return out.String(), nil
}
