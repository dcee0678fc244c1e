package main

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/content/pdf/pdftest"
)

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
		"one string":           pdftest.Page(inflating("BT /F1 9 Tf (", "x", mib, ") Tj ET"), "/Filter /FlateDecode"),
		"compressed twice":     pdftest.Page(twice.Bytes(), "/Filter [/FlateDecode /FlateDecode]"),
		"one name":             pdftest.Page(inflating("/", "x", mib, " gs"), "/Filter /FlateDecode"),
		"an array":             pdftest.Page(inflating("[", "1 ", mib/8, "] TJ"), "/Filter /FlateDecode"),
		"arrays in arrays":     pdftest.Page(inflating("", "[", mib/8, ""), "/Filter /FlateDecode"),
		"operands without end": pdftest.Page(inflating("", "1 ", mib/8, ""), "/Filter /FlateDecode"),
		"none":                 pdftest.Page([]byte("BT /F1 9 Tf (The river rose) Tj ET"), ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Logf("%d bytes", len(file))
			cmd := exec.CommandContext(t.Context(), asVarve(t), "pdf-text", fmt.Sprintf("--memory=%d", limit), "--time=2s")
			cmd.Env = append(os.Environ(), "VARVE_PDF_CHILD"+"=1", "GOTRACEBACK=none")
			cmd.Stdin = bytes.NewReader(file)
			var said, out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error)
			go func() { ended <- cmd.Wait() }()
			took, err := peak(cmd.Process.Pid, ended)
			t.Logf("%d MiB, %s, %v: %.100q", took>>10, cmd.ProcessState.UserTime(), err, said.String())
			if read := strings.Contains(out.String(), "The river rose"); read != (name == "none") {
				t.Errorf("was it read? %v: %v", read, err)
			}
			if most := int64(limit>>10) + 64<<10; took > most || took == 0 {
				t.Errorf("it took %d KiB, want at most %d", took, most)
			}
		})
	}
}

// peak returns the most memory that a process had until it ended, in KiB, and its error. What the system says of an ended
// process counts the memory of the process that started it, too.
func peak(pid int, ended <-chan error) (kib int64, err error) {
	for {
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			if _, line, ok := strings.Cut(string(status), "VmHWM:"); ok {
				_, _ = fmt.Sscan(line, &kib)
			}
		}
		select {
		case err := <-ended:
			return kib, err
		case <-time.After(time.Millisecond):
		}
	}
}
