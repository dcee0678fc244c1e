package termtable

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/cdx/surt"
	"github.com/varve-archive/varve/memento"
)

// Limits of a log: of a line, and of what is kept of all lines. A log may be longer if only some pages are asked for.
const (
	MaxLogLine    = 64 << 10 // bytes
	MaxLogQueries = 1_000_000
	MaxLogWords   = 5_000_000
)

// A Log has the queries by which people found pages.
type Log struct {
	pages []*logPage
	byKey map[string]*logPage // by key
	only  bool                // other pages are ignored

	words            map[string]string // interned
	queries, inWords int
}

type logPage struct {
	page    string
	asked   bool // by name, not only found in the log
	queries []logQuery
}

type logQuery struct {
	words  []string // distinct
	clicks int64
}

// ReadLog reads a log of tab-separated values, optionally compressed with gzip. Lines have 4 columns as in ORCAS (id of the query, query,
// id of the document, address; each line is a click), 3 (query, address, clicks) or 2 (query, address; each line is a click). The first
// line determines the number; it may be a header, recognized by "address", "url", "uri" or "u" in the column of addresses. Addresses with
// the same key are one page. If only isn't empty, only queries of these pages are kept. Errors name the line.
func ReadLog(ctx context.Context, r io.Reader, only []string) (*Log, error) {
	log := &Log{byKey: map[string]*logPage{}, words: map[string]string{}}
	for _, page := range only {
		log.at(page).asked = true
	}
	log.only = len(only) > 0
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		in = bufio.NewReader(z)
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxLogLine)
	n, columns := 0, 0
	for lines.Scan() {
		n++
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line := lines.Text()
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, "\t")
		first := columns == 0
		if first {
			columns = len(fields)
		}
		if err := log.add(fields, columns, first); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: longer than %d bytes", n+1, MaxLogLine)
	} else if err != nil {
		return nil, fmt.Errorf("after line %d: %w", n, err)
	}
	return log, nil
}

// add reads a line.
func (l *Log) add(fields []string, columns int, first bool) error {
	if columns < 2 || columns > 4 {
		return fmt.Errorf("want 2, 3 or 4 columns between tabs, not %d", columns)
	}
	if len(fields) != columns {
		return fmt.Errorf("want %d columns as in the first line, not %d", columns, len(fields))
	}
	query, address, clicks := fields[0], fields[1], "1"
	switch columns {
	case 3:
		clicks = fields[2]
	case 4:
		query, address = fields[1], fields[3]
	}
	address = strings.TrimSpace(address)
	if first && slices.Contains([]string{"address", "url", "uri", "u"}, strings.ToLower(address)) {
		return nil
	}
	page := memento.ParseURIR(address)
	if page == "" {
		return fmt.Errorf("%.80q is no address", address)
	}
	if !utf8.ValidString(query) {
		return fmt.Errorf("the query %.40q is not UTF-8", query)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(clicks), 10, 31)
	if err != nil {
		return fmt.Errorf("clicks %.20q: want a number from 0 to %d", clicks, 1<<31-1)
	}
	return l.keep(page, query, int64(n))
}

func (l *Log) keep(page, query string, clicks int64) error {
	p := l.at(page)
	if p == nil {
		return nil
	}
	words := search.Words(query)
	slices.Sort(words)
	words = slices.Clip(slices.Compact(words))
	if l.queries, l.inWords = l.queries+1, l.inWords+len(words); l.queries > MaxLogQueries || l.inWords > MaxLogWords {
		return fmt.Errorf("more than %d queries or %d words in them: ask for some addresses only, or in parts", MaxLogQueries, MaxLogWords)
	}
	for i, w := range words {
		kept, ok := l.words[w]
		if !ok {
			kept = strings.Clone(w)
			l.words[kept] = kept
		}
		words[i] = kept
	}
	p.queries = append(p.queries, logQuery{words, clicks})
	return nil
}

// at returns the page of an address, and adds it if necessary. It returns nil for ignored pages.
func (l *Log) at(address string) *logPage {
	key := surt.Of(address)
	p := l.byKey[key]
	if p == nil && !l.only {
		p = &logPage{page: strings.Clone(address)}
		l.byKey[strings.Clone(key)] = p
		l.pages = append(l.pages, p)
	}
	return p
}
