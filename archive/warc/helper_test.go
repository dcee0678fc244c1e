package warc

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func jsonInt(n int64) string { return strconv.FormatInt(n, 10) }

// jsonField returns a string field of a CDXJ line.
func jsonField(line, name string) string {
	var fields map[string]string
	if err := json.Unmarshal([]byte(line[strings.IndexByte(line, '{'):]), &fields); err != nil {
		return err.Error()
	}
	return fields[name]
}

// memory is a file in memory.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

func inMemory(b []byte) File { return memory{bytes.NewReader(b)} }

// record writes a WARC record by hand, because no library would write the broken ones that tests need.
func record(uri, block string) string {
	return recordWith("WARC-Target-URI: "+uri+"\r\nWARC-Date: 2014-01-26T20:06:24Z\r\nContent-Length: "+strconv.Itoa(len(block)), block)
}

func recordWith(fields, block string) string {
	return "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n" + fields + "\r\n\r\n" + block + "\r\n\r\n"
}

func gz(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

func zst(s string, opts ...zstd.EOption) string {
	w, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		panic(err)
	}
	return string(w.EncodeAll([]byte(s), nil))
}

// skippableFrame is a skippable zstd frame with this content.
func skippableFrame(magic uint32, content string) string {
	head := binary.LittleEndian.AppendUint32(nil, magic)
	return string(binary.LittleEndian.AppendUint32(head, uint32(len(content)))) + content
}

// walk reads a file with Scan and returns one line per record or damage.
func walk(t testing.TB, content, name string) []string {
	t.Helper()
	var lines []string
	for rec, err := range Scan(t.Context(), inMemory([]byte(content)), name, 0) {
		var damage *Damage
		switch {
		case errors.As(err, &damage):
			lines = append(lines, fmt.Sprintf("damage at %d: %s", damage.Offset, damage.Reason))
		case err != nil:
			t.Fatal(err)
		default:
			n, _ := io.Copy(io.Discard, rec.Block)
			lines = append(lines, fmt.Sprintf("%s at %d, block of %d", rec.TargetURI, rec.Offset, n))
		}
	}
	return lines
}
