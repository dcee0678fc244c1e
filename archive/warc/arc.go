package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/percent"
)

// arcVersion is the [Record.Version] of ARC records, which have no WARC version.
const arcVersion = "ARC"

// maxARCLine bounds an ARC URL-record line. The longest URLs in use fit, with the line's five or ten fields.
const maxARCLine = 32 << 10

// An arcLine is a parsed URL-record line (Internet Archive, ARC file format, versions 1 and 2).
type arcLine struct {
	url, ip, mime string
	date          cdx.Timestamp
	length        int64
}

// looksLikeARC reports whether b starts like a URL-record line: "scheme:" and, in its first line, a space. Some writers leave the
// scheme out; such a line has to be whole.
func looksLikeARC(b []byte) bool {
	line, _, whole := bytes.Cut(b[:min(len(b), maxARCLine)], []byte("\n"))
	if !beginsWithScheme(line) {
		if !whole || bytes.Count(line, []byte(" ")) < 4 {
			return false
		}
		_, err := parseARCLine(strings.TrimRight(string(line), blank))
		return err == nil
	}
	return bytes.IndexByte(line, ' ') > 0
}

func beginsWithScheme(line []byte) bool {
	colon := bytes.IndexByte(line[:min(len(line), 16)], ':')
	for _, c := range line[:max(colon, 0)] {
		if (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '+' && c != '.' {
			return false
		}
	}
	return colon >= 2
}

// peekARC parses the URL-record line at r's position without consuming it. size includes the end of the line.
func peekARC(r *bufio.Reader) (line arcLine, size int, err error) {
	b, _ := r.Peek(min(r.Buffered(), maxARCLine))
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		b, _ = r.Peek(maxARCLine)
		end = bytes.IndexByte(b, '\n')
	}
	if end < 0 {
		return line, 0, errNoRecord
	}
	line, err = parseARCLine(strings.TrimRight(string(b[:end]), blank))
	return line, end + 1, err
}

// parseARCLine reads "URL IP date MIME length", or version 2's "URL IP date MIME status checksum location offset
// filename length". The URL may contain spaces, so the date is recognized by its digits and the URL ends before the IP
// address.
func parseARCLine(s string) (line arcLine, err error) {
	f := strings.Split(s, " ")
	if len(f) < 5 {
		return line, fmt.Errorf("ARC line has %d fields, want 5 or 10", len(f))
	}
	if line.length, err = strconv.ParseInt(f[len(f)-1], 10, 64); err != nil || line.length < 0 {
		return line, fmt.Errorf("ARC line's length %.40q is not a number of bytes", f[len(f)-1])
	}
	date := len(f) - 3
	if !isARCDate(f[date]) && len(f) >= 10 && isARCDate(f[len(f)-8]) {
		date = len(f) - 8
	}
	for i := 2; i < len(f)-1 && !isARCDate(f[date]); i++ { // a MIME type with spaces in it
		if isARCDate(f[i]) {
			date = i
		}
	}
	if date < 2 || !isARCDate(f[date]) {
		return line, fmt.Errorf("ARC line has no date of 12 to 14 digits: %.80q", s)
	}
	if line.date, err = cdx.ParseTimestamp(f[date]); err != nil {
		return line, fmt.Errorf("ARC line: %v", err)
	}
	line.url, line.ip, line.mime = strings.Join(f[:date-1], " "), f[date-1], f[date+1]
	if _, err := netip.ParseAddr(line.ip); !beginsWithScheme([]byte(line.url)) && (err != nil || !strings.Contains(line.url, ".")) {
		return line, fmt.Errorf("ARC line's URL %.80q has no scheme", line.url)
	}
	return line, nil
}

func isARCDate(s string) bool {
	return len(s) >= 12 && len(s) <= 14 && leadingDigits(s) == s
}

// readARC reads a URL-record line into rec, as WARC fields with the same meaning.
func (rec *Record) readARC(r *bufio.Reader) error {
	line, size, err := peekARC(r)
	if err != nil {
		return err
	}
	_, _ = r.Discard(size)
	rec.Version, rec.Type = arcVersion, "response"
	rec.TargetURI, rec.Date, rec.ContentLength = percent.UTF8(line.url), line.date, line.length
	content := line.mime
	switch scheme, _, _ := strings.Cut(line.url, ":"); strings.ToLower(scheme) {
	case "filedesc":
		rec.Type = "warcinfo"
	case "http", "https":
		content = "application/http; msgtype=response"
	}
	rec.Header = append(rec.Header,
		Field{"WARC-Type", rec.Type},
		Field{"WARC-Target-URI", line.url},
		Field{"WARC-Date", line.date.Time().Format("2006-01-02T15:04:05Z")},
		Field{"WARC-IP-Address", line.ip},
		Field{"Content-Type", content},
		Field{"Content-Length", strconv.FormatInt(line.length, 10)},
	)
	if content != line.mime { // WARC has no other field for the type that the crawler recorded
		rec.Header = append(rec.Header, Field{"WARC-Identified-Payload-Type", line.mime})
	}
	return nil
}
