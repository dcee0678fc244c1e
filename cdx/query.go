package cdx

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/varve-archive/varve/cdx/surt"
)

// Output is the form of a CDX answer.
type Output string

// The forms of an answer. JSON is an array of arrays with a header row, as in the wayback CDX server; NDJSON is pywb's:
// one object per line.
const (
	OutputText   Output = "text"
	OutputJSON   Output = "json"
	OutputNDJSON Output = "ndjson"
	OutputCDXJ   Output = "cdxj"
)

// Outputs of pywb and OutbackCDX that varve refuses, naming an alternative.
const (
	pywbLinks      Output = "link"
	outbackObjects Output = "jsondict"
)

// check refuses an unknown output.
func (o Output) check() error {
	instead := ""
	switch o {
	case OutputText, OutputJSON, OutputNDJSON, OutputCDXJ:
		return nil
	case pywbLinks:
		instead = "; links are in the TimeMap, timemap/link/URL beside this address"
	case outbackObjects:
		instead = "; ndjson has one object a line"
	}
	return fmt.Errorf("output %.40q: want text, json, ndjson or cdxj%s", string(o), instead)
}

// Limits of a query. They bound what is kept in memory; what is streamed needs no bound.
const (
	defaultPageSize = 10_000 // captures of the range in one page, before filters
	maxLast         = 10_000 // rows for a negative limit
	maxConditions   = 20     // filters, and also collapses
)

// A Query holds the parameters of a request to the wayback CDX server. [ParseQuery] makes it. It never changes, so
// several goroutines may use it.
type Query struct {
	span    Span // without its collection
	closest Timestamp
	output  Output
	columns []column // nil for the output's usual columns

	filters   []filter
	collapses []collapse

	limit, offset  int // limit: 0 none, < 0 the last rows
	page, pageSize int // page -1: no paging

	showNumPages, showResumeKey, resolveRevisits, fastLatest bool
	showDupeCount, showSkipCount, lastSkipTimestamp          bool
	omitSelfRedirects, reverse                               bool
}

// Output returns the requested form.
func (q *Query) Output() Output { return q.output }

// ParseQuery reads the query string of a CDX request. It ignores unknown parameters. The error for a malformed one is a
// sentence that says what is allowed.
func ParseQuery(rawQuery string) (*Query, error) {
	q := &Query{output: OutputText, page: -1, pageSize: defaultPageSize}
	p := queryParser{Query: q}
	for rawQuery != "" {
		var pair string
		pair, rawQuery, _ = strings.Cut(rawQuery, "&")
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil {
			return nil, fmt.Errorf("the query string is not percent-encoded well: %w", err)
		}
		if err := p.parameter(name, value); err != nil {
			return nil, err
		}
	}
	return q, p.finish()
}

// queryParser holds what can be checked only once all parameters are known.
type queryParser struct {
	*Query
	url    string
	match  surt.Match
	sort   string
	resume string
	blank  bool // closest was given, but empty
}

func (p *queryParser) parameter(name, value string) (err error) {
	if flag := p.flag(name); flag != nil {
		*flag, err = parseBool(name, value)
		return err
	}
	if value == "" { // an empty field of a form
		p.blank = p.blank || name == "closest"
		return nil
	}
	switch name {
	case "url":
		p.url = value
	case "matchType":
		p.match = surt.Match(value)
	case "from":
		p.span.Since, err = ParseAsked(value)
	case "to":
		p.span.Until, err = ParseAskedEnd(value)
	case "closest":
		p.closest, err = ParseAsked(value)
	case "sort":
		p.sort = value
	case "limit":
		p.limit, err = parseInt(value)
	case "offset":
		p.offset, err = parseInt(value)
	case "page":
		p.page, err = parseInt(value)
	case "pageSize":
		p.pageSize, err = parseInt(value)
	case "output":
		p.output = Output(value)
	case "resumeKey":
		p.resume = value
	default:
		return p.list(name, value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (p *queryParser) flag(name string) *bool {
	switch name {
	case "showNumPages":
		return &p.showNumPages
	case "showResumeKey":
		return &p.showResumeKey
	case "fastLatest":
		return &p.fastLatest
	case "resolveRevisits":
		return &p.resolveRevisits
	case "showDupeCount":
		return &p.showDupeCount
	case "showSkipCount":
		return &p.showSkipCount
	case "lastSkipTimestamp":
		return &p.lastSkipTimestamp
	case "omitSelfRedirects":
		return &p.omitSelfRedirects
	case "reverse":
		return &p.reverse
	}
	return nil
}

// list reads the parameters that hold lists or can be repeated.
func (p *queryParser) list(name, value string) error {
	switch name {
	case "fl", "fields":
		p.columns = nil
		for f := range strings.SplitSeq(value, ",") {
			if f = strings.TrimSpace(f); f != "" {
				p.columns = append(p.columns, column{fieldNames[f], f})
			}
		}
	case "filter":
		f, err := parseFilter(value)
		if err != nil {
			return err
		}
		p.filters = append(p.filters, f)
	case "collapse", "collapseToFirst", "collapseToLast", "collapseTime":
		c, err := collapseOf(name, value)
		if err != nil {
			return err
		}
		p.collapses = append(p.collapses, c)
	}
	if len(p.filters) > maxConditions || len(p.collapses) > maxConditions {
		return fmt.Errorf("%s: want at most %d of a kind", name, maxConditions)
	}
	if most := 2 * len(fieldNames); len(p.columns) > most {
		return fmt.Errorf("%s: want at most %d fields", name, most)
	}
	return nil
}

// collapseOf reads the collapsing parameters of the wayback CDX server, OutbackCDX and pywb.
func collapseOf(name, value string) (collapse, error) {
	if name == "collapseTime" {
		return byTime(value)
	}
	c, err := parseCollapse(value)
	c.toLast = name == "collapseToLast"
	return c, err
}

func (p *queryParser) finish() error {
	if strings.TrimSpace(p.url) == "" {
		return errors.New("url: this parameter is needed: the URL, percent-encoded, whose captures to list, e.g. url=http://example.org/ " +
			"or url=*.example.org")
	}
	if err := p.output.check(); err != nil {
		return err
	}
	if p.page < -1 { // the wayback CDX server's -1 is no page
		return errors.New("page: want a whole number from 0")
	}
	if p.offset < 0 || p.pageSize < 1 {
		return errors.New("offset and pageSize: want offset of 0 or more, pageSize of 1 or more")
	}
	if err := p.keys(); err != nil {
		return err
	}
	if err := p.order(); err != nil {
		return err
	}
	if p.limit < -maxLast && !p.newestOnly() {
		return fmt.Errorf("limit: want %d or more; for more of the last captures use sort=reverse", -maxLast)
	}
	if p.limit < 0 || p.closest != 0 { // no key can say where such an answer would continue
		p.showResumeKey = false
	}
	if p.omitSelfRedirects {
		p.filters = append(p.filters, filter{selfRedirect: true, not: true})
	}
	return p.resumeAt()
}

func (p *queryParser) keys() error {
	keys, err := surt.Ranges(p.url, p.match)
	if err != nil {
		return err
	}
	if len(keys) > 1 { // there are others between them
		p.filters = append(p.filters, filter{keys: keys})
	}
	_, match := surt.Wildcards(strings.TrimSpace(p.url), p.match)
	around := surt.Around(keys)
	p.span.From, p.span.To, p.span.Exact = around.From, around.To, match == surt.Exact
	return nil
}

func (p *queryParser) order() error {
	switch {
	case (p.sort == "reverse" || p.reverse && p.sort == "") && p.closest == 0:
		p.span.Reverse = true
	case p.sort == "closest" && p.closest == 0 && !p.blank:
		return errors.New("sort=closest needs closest=, 1 to 14 digits")
	case p.sort != "" && p.sort != "reverse" && p.sort != "closest" && p.sort != "regular" && p.sort != "default":
		return fmt.Errorf("sort %.40q: want reverse or closest", p.sort)
	}
	if p.closest == 0 {
		return nil
	}
	if !p.span.Exact {
		return errors.New("closest: goes with the captures of one URL only, matchType=exact without a wildcard")
	}
	if p.resume != "" {
		return errors.New("resumeKey: no answer with closest= ends in one; use page=")
	}
	return nil
}

// newestOnly reports whether an index can find the captures of a negative limit without walking all of them.
func (q *Query) newestOnly() bool {
	return q.limit < 0 && q.span.Exact && !q.span.Reverse && q.page < 0 && q.offset == 0 &&
		len(q.filters) == 0 && !q.looksAround() && q.span.After.IsZero() && q.closest == 0
}

// looksAround reports whether a row depends on the captures around it.
func (q *Query) looksAround() bool {
	return len(q.collapses) > 0 || q.counts(fieldDupeCount) || q.groups()
}

// groups reports whether a row is complete only once the next one is found.
func (q *Query) groups() bool {
	return q.counts(fieldSkipCount) || q.counts(fieldEndTimestamp) ||
		slices.ContainsFunc(q.collapses, func(c collapse) bool { return c.toLast })
}

// counts reports whether f, one of the counting fields, is among the columns.
func (q *Query) counts(f field) bool { return has(q.outputColumns(), f) }

func (p *queryParser) resumeAt() error {
	if p.resume == "" {
		return nil
	}
	at, err := decodeResumeKey(p.resume)
	if err != nil {
		return err
	}
	if at.Key < p.span.From || p.span.To != "" && at.Key >= p.span.To {
		return errors.New("resumeKey: is of another query")
	}
	p.span.After = at
	return nil
}

func parseInt(s string) (int, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%.40q: want a whole number", s)
	}
	return int(n), nil
}

// parseBool reads a flag; without a value, as in "&showNumPages", it is true.
func parseBool(name, s string) (bool, error) {
	switch strings.ToLower(s) {
	case "", "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%s %.40q: want true or false", name, s)
}
