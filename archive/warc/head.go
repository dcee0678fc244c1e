package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/internal/percent"
	"github.com/varve-archive/varve/internal/sentinel"
)

// maxHead bounds the head of a record and of an HTTP message. Real ones stay under 100 KiB.
const maxHead = 1 << 20

// maxVersion bounds a version line, such as "WARC/1.1".
const maxVersion = 16

// Errors in heads.
const (
	errNoRecord = sentinel.Error("no record starts here")
	errHeadCut  = sentinel.Error("head is cut off")
)

var errHeadTooLong = fmt.Errorf("head is longer than %d bytes", maxHead)

// appendHead appends the lines of r to head, up to an empty line, which is consumed but left out.
func appendHead(head []byte, r *bufio.Reader) ([]byte, error) {
	line := len(head) // where the current line starts
	for {
		part, err := r.ReadSlice('\n')
		if len(head)+len(part) > maxHead {
			return head, errHeadTooLong
		}
		head = append(head, part...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return head, errHeadCut
		case err != nil:
			return head, fmt.Errorf("head can't be inflated: %w", err)
		}
		if emptyLine(head[line:]) {
			return head[:line], nil
		}
		if line > 0 && bytes.HasPrefix(head[line:], []byte("WARC/")) { // the beginning of another record
			return head, errHeadCut
		}
		line = len(head)
	}
}

// emptyLine reports whether a line consists of its end: LF, CR LF, or CR CR LF as one program writes it.
func emptyLine(line []byte) bool {
	return !slices.ContainsFunc(line, func(c byte) bool { return c != '\r' && c != '\n' })
}

// readWARC reads a WARC record's head into rec.
func (rec *Record) readWARC(r *bufio.Reader) (err error) {
	src := rec.src
	if src.head, err = appendHead(src.head[:0], r); err != nil {
		return err
	}
	version, lines, _ := strings.Cut(string(src.head), "\n")
	rec.Version = strings.TrimRight(version, blank)
	if len(rec.Version) > maxVersion || strings.Contains(rec.Version, " ") {
		return errNoRecord // a text that happens to begin with "WARC/"
	}
	rec.Header = rec.Header.appendLines(lines)
	return rec.takeFields()
}

// takeFields fills the record from its header. The first of duplicate fields counts.
func (rec *Record) takeFields() (err error) {
	get := rec.Header.Get
	rec.Type = strings.ToLower(get("WARC-Type"))
	rec.TargetURI = percent.UTF8(withScheme(TrimBrackets(get("WARC-Target-URI"))))
	rec.Truncated = get("WARC-Truncated")
	length := get("Content-Length")
	if rec.ContentLength, err = strconv.ParseInt(length, 10, 64); err != nil || rec.ContentLength < 0 {
		rec.ContentLength = 0
		return fmt.Errorf("Content-Length %.40q is not a number of bytes", length)
	}
	return nil
}

// withScheme completes an address that begins with a host, as some programs write it: "example.org/a", "example.org:8080",
// "//example.org/a".
func withScheme(uri string) string {
	authority, _, _ := strings.Cut(strings.TrimPrefix(uri, "//"), "/")
	host, port, _ := strings.Cut(authority, ":")
	isHost := strings.Contains(strings.Trim(host, "."), ".") &&
		strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789.-") == ""
	if !isHost || strings.Trim(port, "0123456789") != "" || strings.HasSuffix(authority, ":") {
		return uri
	}
	return "http://" + strings.TrimPrefix(uri, "//")
}

// takeDate parses the WARC-Date. It is separate because a record with an invalid date can still be skipped exactly.
func (rec *Record) takeDate() (err error) {
	if rec.Version == arcVersion {
		return nil
	}
	date := rec.Header.Get("WARC-Date")
	if date == "" {
		return errors.New("has no WARC-Date")
	}
	if rec.Date, err = ParseDate(date); err != nil {
		return fmt.Errorf("WARC-Date: %v", err)
	}
	return nil
}

// TrimBrackets removes the angle brackets that WARC 1.0's grammar required by mistake.
func TrimBrackets(uri string) string {
	if len(uri) >= 2 && uri[0] == '<' && uri[len(uri)-1] == '>' {
		return uri[1 : len(uri)-1]
	}
	return uri
}
