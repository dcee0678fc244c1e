package main

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// pdfOf makes a PDF of one page, whose content is encoded as dict says.
func pdfOf(dict string, content []byte, rest ...string) []byte {
	objects := append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(content), dict, content),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}, rest...)
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return b.Bytes()
}

// inflating compresses begin, n times the same text, and end.
func inflating(begin, text string, n int64, end string) []byte {
	var out bytes.Buffer
	z, _ := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	_, _ = io.WriteString(z, begin)
	block := []byte(strings.Repeat(text, 1<<20/len(text)))
	for left := n; left > 0; left-- {
		_, _ = z.Write(block)
	}
	_, _ = io.WriteString(z, end)
	_ = z.Close()
	return out.Bytes()
}

// A PDF may inflate without end. The kernel must stop the process that reads it, whatever the parser does.
func TestPDFsCannotTakeAllMemory(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector alone takes more memory than the limit; the same test runs without it")
	}
	const limit, mib = 256 << 20, 320
	var twice bytes.Buffer
	z := zlib.NewWriter(&twice)
	_, _ = z.Write(inflating("BT /F1 9 Tf (", "x", mib, ") Tj ET"))
	_ = z.Close()
	for name, file := range map[string][]byte{
		"one string":           pdfOf("/Filter /FlateDecode", inflating("BT /F1 9 Tf (", "x", mib, ") Tj ET")),
		"compressed twice":     pdfOf("/Filter [/FlateDecode /FlateDecode]", twice.Bytes()),
		"one name":             pdfOf("/Filter /FlateDecode", inflating("/", "x", mib, " gs")),
		"an array":             pdfOf("/Filter /FlateDecode", inflating("[", "1 ", mib/8, "] TJ")),
		"arrays in arrays":     pdfOf("/Filter /FlateDecode", inflating("", "[", mib/8, "")),
		"operands without end": pdfOf("/Filter /FlateDecode", inflating("", "1 ", mib/8, "")),
		"none":                 pdfOf("", []byte("BT /F1 9 Tf (The river rose) Tj ET")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Logf("%d bytes", len(file))
			cmd := exec.CommandContext(t.Context(), asVarve(t), "pdf-text", fmt.Sprintf("--memory=%d", limit), "--time=2s")
			cmd.Env = append(os.Environ(), pdfChild+"=1", "GOTRACEBACK=none")
			cmd.Stdin = bytes.NewReader(file)
			said := capped{most: 300}
			out := capped{most: 300}
			cmd.Stdout, cmd.Stderr = &out, &said
			err := cmd.Run()
			usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			if !ok {
				t.Fatal("the system doesn't say what a process used")
			}
			t.Logf("%d MiB, %s, %v: %.100q", usage.Maxrss>>10, cmd.ProcessState.UserTime(), err, said.String())
			if read := strings.Contains(out.String(), "The river rose"); read != (name == "none") {
				t.Errorf("was it read? %v: %v", read, err)
			}
			if most := int64(limit>>10) + 64<<10; usage.Maxrss > most {
				t.Errorf("it took %d KiB, more than %d", usage.Maxrss, most)
			}
		})
	}
}
