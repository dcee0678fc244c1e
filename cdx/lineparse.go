package cdx

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/internal/percent"
	"github.com/varve-archive/varve/internal/sentinel"
)

// A line holds the values of a line of any format as written; "" and "-" mean missing.
type line struct {
	key, time, url, mime, status, digest, redirect, length, offset, file string
}

// errNoCapture marks a line that doesn't describe a capture, like that of a warcinfo record.
const errNoCapture = sentinel.Error("stands for no capture")

// ParseCDXJ reads one CDXJ line: key, timestamp and a JSON object, as pywb and varve write it, or as OpenWayback does
// (with an ISO 8601 time, the record's type, and other names in the object). The key is computed from the URL, unless
// the line's own key tells request bodies apart. Values may be strings or numbers.
func ParseCDXJ(s string) (Capture, error) {
	key, rest, _ := strings.Cut(s, " ")
	ts, rest, _ := strings.Cut(rest, " ")
	if i := strings.IndexByte(rest, '{'); i > 0 && !strings.ContainsAny(rest[:i], `"}`) { // skip the record's type
		rest = rest[i:]
	}
	var o cdxjObject
	if !o.scan(rest) {
		o = cdxjObject{}
		if err := json.Unmarshal([]byte(rest), &o); err != nil {
			return Capture{}, fmt.Errorf("want a key, a timestamp and a JSON object: %w", err)
		}
	}
	l := o.line()
	l.key, l.time = key, ts
	return l.capture()
}

// columnsByCount are the formats of CDX files without a header. The three columns after a revisit's own say where its
// original is; an index finds that out itself.
var columnsByCount = map[int]string{
	9:  "N b a m s k r V g",
	10: "N b a m s k r M V g",
	11: "N b a m s k r M S V g",
	12: "N b a m s k r V g ? ? ?",
	13: "N b a m s k r M V g ? ? ?",
	14: "N b a m s k r M S V g ? ? ?",
}

// maxSpaces bounds the spaces in a URL.
const maxSpaces = 16

// parseCDX reads a line whose columns are named by the letters of a CDX header. A URL and a MIME type may contain spaces, because some
// writers leave them in: a URL does if the line's key says so.
func parseCDX(s, delim, letters string) (Capture, error) {
	values := strings.Split(s, delim)
	if letters == "" {
		if letters = columnsByCount[len(values)]; letters == "" {
			return Capture{}, fmt.Errorf("%d columns: want 9 to 14, or a header that names them", len(values))
		}
	}
	names := strings.Fields(letters)
	extra := len(values) - len(names)
	if extra < 0 || extra > 0 && !slices.Contains(names, "m") {
		return Capture{}, fmt.Errorf("%d columns: want %d", len(values), len(names))
	}
	var l line
	for _, name := range names {
		more := 0 // values that belong to this one
		switch name {
		case "a":
			for n := min(extra, maxSpaces); n > 0 && more == 0; n-- {
				if surt.Of(strings.Join(values[:1+n], delim)) == l.key {
					more = n
				}
			}
		case "m":
			more = extra
		}
		value := strings.Join(values[:1+more], delim)
		values, extra = values[1+more:], extra-more
		if p := l.column(name); p != nil {
			*p = value
		}
	}
	return l.capture()
}

// column returns the value that a letter of a CDX header means, nil if it isn't needed.
func (l *line) column(letter string) *string {
	switch letter {
	case "N", "K", "A": // massaged or canonical URL
		return &l.key
	case "b":
		return &l.time
	case "a":
		return &l.url
	case "m":
		return &l.mime
	case "s":
		return &l.status
	case "k":
		return &l.digest
	case "r", "R":
		return &l.redirect
	case "S":
		return &l.length
	case "V":
		return &l.offset
	case "g":
		return &l.file
	}
	return nil
}

// capture checks the values and makes a Capture of them.
func (l *line) capture() (Capture, error) {
	if l.noCapture() {
		return Capture{}, errNoCapture
	}
	c := Capture{URL: percent.UTF8(l.url), MIME: bareMIME(l.mime), Digest: bareDigest(l.digest), FileName: baseName(l.file)}
	if missing(l.url) {
		return c, errors.New("has no URL")
	}
	if missing(c.FileName) {
		return c, errors.New("names no file")
	}
	var err error
	if c.Time, err = parseLineTime(l.time); err != nil {
		return c, err
	}
	if c.Offset, err = parseCount("offset", l.offset); err != nil {
		return c, err
	}
	if !missing(l.length) {
		if c.Length, err = parseCount("length", l.length); err != nil {
			return c, err
		}
	}
	if n, err := strconv.Atoi(l.status); err == nil && n >= 100 && n <= 999 { // anything else counts as no status
		c.Status = n
	}
	if c.MIME == mimeRevisit {
		c.Kind, c.MIME = Revisit, ""
	}
	c.Key = lineKey(l.key, c.URL)
	c.Redirect = absolute(l.redirect, c.URL)
	return c, nil
}

func missing(s string) bool { return s == "" || s == "-" }

func (l *line) noCapture() bool {
	return l.key == "-" || strings.HasPrefix(l.mime, "warc/warcinfo") || l.mime == "warc/request" || l.mime == "warc-info" ||
		strings.HasPrefix(l.url, "warcinfo:") || strings.HasPrefix(l.url, "filedesc:")
}

func parseCount(name, s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s %.40q: want a number of 0 or more", name, s)
	}
	return n, nil
}

// parseLineTime reads ISO 8601 or digits; some indexes have more than 14.
func parseLineTime(s string) (Timestamp, error) {
	if len(s) > 14 && strings.Trim(s, "0123456789") == "" {
		s = s[:14]
	}
	if strings.IndexByte(s, 'T') == 10 {
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t, err = time.Parse("2006-01-02T15:04:05", s) // without a zone it is UTC
		}
		if err != nil || FromTime(t) == 0 {
			return 0, fmt.Errorf("time %.40q: want 14 digits or ISO 8601", s)
		}
		return FromTime(t), nil
	}
	return ParseTimestamp(s)
}

// bareMIME drops parameters and the words that some writers use for "unknown".
func bareMIME(s string) string {
	s, _, _ = strings.Cut(s, ";")
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "-" || s == "unk" || s == "unknown" || s == "no-type" {
		return ""
	}
	return s
}

// bareDigest drops the algorithm if it is SHA-1.
func bareDigest(s string) string {
	if missing(s) {
		return ""
	}
	algorithm, value, found := strings.Cut(s, ":")
	switch {
	case !found:
		return s
	case strings.EqualFold(algorithm, "sha1"):
		return strings.ToUpper(value)
	}
	return strings.ToLower(algorithm) + ":" + value
}

func baseName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// absolute resolves a redirect against the URL. It drops one that can't be resolved.
func absolute(redirect, base string) string {
	if missing(redirect) {
		return ""
	}
	to, err := url.Parse(redirect)
	if err != nil {
		return ""
	}
	if to.IsAbs() {
		return redirect
	}
	from, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return from.ResolveReference(to).String()
}

// lineKey returns the key under which varve looks for the URL, because indexers make keys differently. Only request
// bodies can't be derived from the URL, so a key that adds them as arguments is kept.
func lineKey(key, url string) string {
	computed := surt.Of(url)
	if key == computed || !surt.Valid(key) {
		return computed
	}
	path, query, _ := strings.Cut(key, "?")
	computedPath, computedQuery, _ := strings.Cut(computed, "?")
	if path != computedPath {
		return computed
	}
	args := map[string]int{}
	for a := range strings.SplitSeq(query, "&") {
		args[a]++
	}
	if computedQuery != "" {
		for a := range strings.SplitSeq(computedQuery, "&") {
			if args[a]--; args[a] < 0 {
				return computed
			}
		}
	}
	return key
}
