package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sentinel"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/rewrite/reference"
)

// A Web makes requests to the live web. It follows no redirects, and returns an error for addresses that must not be requested.
type Web interface {
	// Get requests uri, with additional header fields. The caller closes the answer's body, which is not decoded.
	Get(ctx context.Context, uri string, head http.Header) (*http.Response, error)
}

// A Selection bounds the datetimes of the wanted mementos, inclusively; 0 is no bound.
type Selection struct{ From, To cdx.Timestamp }

func (s Selection) has(t cdx.Timestamp) bool { return t >= s.From && (s.To == 0 || t <= s.To) }

// reaches reports whether a TimeMap page may list a wanted memento, by its declared range.
func (s Selection) reaches(p memento.Page) bool {
	return (p.Until == 0 || p.Until >= s.From) && (p.From == 0 || s.To == 0 || p.From <= s.To)
}

// A Found memento is listed in a TimeMap.
type Found struct {
	URIM string
	URIR string // the TimeMap's original
	Time cdx.Timestamp
}

// maxTimeMaps bounds the TimeMaps read for one argument: an archive might name further ones without end.
const maxTimeMaps = 10_000

// maxHops bounds the redirects that are followed for one answer.
const maxHops = 5

// acceptTimeMap is the Accept header for TimeMaps, best format first.
const acceptTimeMap = "application/link-format, application/json;q=0.8, application/cdxj+ors;q=0.7, text/html;q=0.1, */*;q=0.1"

// A lister collects the mementos in TimeMaps.
type lister struct {
	web    Web
	wanted Selection
	report func(error) // called with errors that don't stop it

	seen  map[string]bool // TimeMaps, and mementos
	found []Found
	maps  int
}

// A Question says which mementos are wanted.
type Question struct {
	// Addresses are URI-Ts or URI-Rs. The TimeMap of a URI-R is found by the Link header of the resource itself (RFC 7089 §4), or
	// in an archive.
	Addresses []string
	// Archives are asked for each address: each is the prefix of an archive's TimeMaps or TimeGates, to which the URI-R is
	// appended. The address itself is requested only if none of them leads to a TimeMap.
	Archives []string
	// Otherwise are archives that are asked if Archives is empty and the address leads nowhere.
	Otherwise []string
	Selection
}

// List returns the wanted mementos, each once, ordered by datetime over all archives. A list of a million mementos takes about 200
// MB.
//
// An archive or a page of a TimeMap that can't be read is reported, because the list lacks what it has; that a URI-R is gone from the live
// web isn't. List fails if nothing leads to a TimeMap.
func List(ctx context.Context, web Web, q Question, report func(error)) ([]Found, error) {
	l := &lister{web: web, wanted: q.Selection, report: report, seen: map[string]bool{}}
	for _, address := range q.Addresses {
		uri := memento.ParseURIR(address)
		if uri == "" {
			return nil, fmt.Errorf("%q is no address: give a URI-R or the URI-T of an archive", address)
		}
		first, then := at(q.Archives, uri), []string{uri}
		if len(first) == 0 {
			first, then = then, at(q.Otherwise, uri)
		}
		if err := l.address(ctx, uri, first, then); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(l.found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.URIM, b.URIM))
	})
	return l.found, nil
}

// at returns the addresses of a URI-R in archives.
func at(archives []string, uri string) (all []string) {
	for _, a := range archives {
		all = append(all, a+uri)
	}
	return all
}

// address reads the TimeMaps of an address: those that all of first lead to or, if none does, those of then.
func (l *lister) address(ctx context.Context, uri string, first, then []string) error {
	l.maps = 0
	var failures, ofArchives []error
	for _, places := range [][]string{first, then} {
		led := false
		for _, place := range places {
			ok, err := l.follow(ctx, place)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				failures = append(failures, err)
			}
			if err != nil && place != uri && !errors.Is(err, errNotArchived) {
				ofArchives = append(ofArchives, err)
			}
			led = led || ok
		}
		if led {
			for _, err := range ofArchives {
				l.report(err)
			}
			return nil
		}
	}
	none := fmt.Errorf("%s: nothing there leads to a TimeMap: name an archive with --archive, or give the URI-T", uri)
	return errors.Join(append([]error{none}, failures...)...)
}

// errNotArchived says that an archive has nothing of an address.
const errNotArchived = sentinel.Error("the archive has nothing of it")

// follow reads the TimeMap at uri, or the one that the answer's links name, possibly by way of a TimeGate. It reports whether there
// was one, and why there was none.
func (l *lister) follow(ctx context.Context, uri string) (bool, error) {
	for hop := 0; ; hop++ { // URI-R, TimeGate, TimeMap
		answer, err := l.get(ctx, uri, namesTimeMap)
		if err != nil {
			return false, err
		}
		if answer.StatusCode == http.StatusOK {
			if ok, err := l.read(ctx, answer); ok || err != nil {
				return ok, err
			}
		} else {
			answer.Body.Close()
		}
		next := cmp.Or(linked(answer, "timemap"), linked(answer, "timegate"))
		if hop == 2 || next == "" || next == uri {
			if err = noTimeMap(answer); answer.StatusCode == http.StatusNotFound {
				err = fmt.Errorf("%w: %w", err, errNotArchived)
			}
			return false, err
		}
		uri = next
	}
}

// noTimeMap returns an error that says what is in the place of a TimeMap.
func noTimeMap(answer *http.Response) error {
	return fmt.Errorf("%s: answers %s of %q, which is no TimeMap", answer.Request.URL, answer.Status, answer.Header.Get("Content-Type"))
}

// isDeclared reports whether an answer declares to be a TimeMap. JSON doesn't: it may be anything.
func isDeclared(answer *http.Response) bool {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	switch kind {
	case memento.LinkFormat, "application/cdxj+ors", "application/timemap+json":
		return true
	}
	return false
}

// linked returns the address that an answer's links name for a relation, else "".
func linked(answer *http.Response, relation string) string {
	for _, value := range answer.Header.Values("Link") {
		links, _ := memento.ParseLinks(value) // with an error, those before it
		for _, link := range links {
			if link.Has(relation) {
				return resolve(answer.Request.URL, link.URI)
			}
		}
	}
	return ""
}

// namesTimeMap reports whether a redirect, such as that of a TimeGate to a memento (RFC 7089 §4.1), names a TimeMap to which it doesn't
// lead.
func namesTimeMap(answer *http.Response) bool {
	to := linked(answer, "timemap")
	return to != "" && to != answer.Request.URL.String() && to != resolve(answer.Request.URL, answer.Header.Get("Location"))
}

// resolve returns ref as an absolute address, "" if it is none.
func resolve(base *url.URL, ref string) string {
	u, err := base.Parse(ref)
	if err != nil { // archives have captures of addresses with a stray %
		uri, _ := reference.Web(base.String(), ref)
		return uri
	}
	return u.String()
}

// read takes the mementos of a TimeMap and its further pages. It reports whether the answer was a TimeMap at all.
func (l *lister) read(ctx context.Context, answer *http.Response) (bool, error) {
	more, ok, err := l.one(answer)
	if !ok {
		return false, err
	}
	if err != nil {
		l.report(err) // the pages before it count
	}
	for len(more) > 0 {
		uri := more[0]
		following, err := l.page(ctx, uri)
		if ctx.Err() != nil {
			return true, ctx.Err()
		}
		if err != nil {
			l.report(err)
		}
		more = append(more[1:], following...)
	}
	return true, nil
}

// one takes the mementos of one TimeMap and returns its further pages. ok is false if it isn't a TimeMap.
func (l *lister) one(answer *http.Response) (more []string, ok bool, err error) {
	m, err := l.parse(answer)
	if m == nil {
		return nil, false, err
	}
	l.take(answer.Request.URL, m)
	return l.pages(answer, m), true, err
}

func (l *lister) page(ctx context.Context, uri string) ([]string, error) {
	answer, err := l.get(ctx, uri, func(*http.Response) bool { return false })
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, noTimeMap(answer)
	}
	more, ok, err := l.one(answer)
	if !ok && err == nil {
		err = noTimeMap(answer)
	}
	return more, err
}

// parse parses one TimeMap. It returns nil without an error for what neither declares to be one nor is one: simple archives serve theirs
// as plain text, or as whatever their server takes files for.
func (l *lister) parse(answer *http.Response) (*memento.TimeMap, error) {
	defer answer.Body.Close()
	uri := answer.Request.URL.String()
	var m *memento.TimeMap
	plain, err := warc.Decode(answer.Header.Get("Content-Encoding"), answer.Body)
	if err == nil {
		m, err = memento.ReadTimeMap(plain)
	}
	isOne := m != nil && (m.Original != "" || len(m.Mementos) > 0) || isDeclared(answer)
	if !isOne && (m != nil || !errors.Is(err, io.ErrUnexpectedEOF)) {
		return nil, nil
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", uri, err)
	}
	return m, err
}

// take adds the wanted mementos of the TimeMap at uriT that were in no other. Relative references (RFC 8288 §3.1) are resolved; absolute
// ones stay as they are.
func (l *lister) take(uriT *url.URL, m *memento.TimeMap) {
	for _, e := range m.Mementos {
		if u, err := url.Parse(e.URI); err != nil || !u.IsAbs() {
			e.URI = cmp.Or(resolve(uriT, e.URI), e.URI)
		}
		if l.wanted.has(e.Time) && !l.seen[e.URI] {
			l.seen[e.URI] = true
			l.found = append(l.found, Found{URIM: e.URI, URIR: m.Original, Time: e.Time})
		}
	}
}

// pages returns the further pages of m that were not read yet (RFC 7089 §5.1.1). Aggregators list the TimeMaps of archives in the
// same way.
func (l *lister) pages(answer *http.Response, m *memento.TimeMap) []string {
	l.seen[answer.Request.URL.String()] = true
	var uris []string
	for _, p := range m.Pages {
		uri := resolve(answer.Request.URL, p.URI)
		if uri == "" || l.seen[uri] || !l.wanted.reaches(p) {
			continue
		}
		if l.maps++; l.maps > maxTimeMaps {
			l.report(fmt.Errorf("%s: leads to more than %d TimeMaps: the others are left out", answer.Request.URL, maxTimeMaps))
			break
		}
		l.seen[uri] = true
		uris = append(uris, uri)
	}
	return uris
}

// get requests a TimeMap or a resource that leads to one, and follows redirects, unless meant returns true for one.
func (l *lister) get(ctx context.Context, uri string, meant func(*http.Response) bool) (*http.Response, error) {
	return get(ctx, l.web, uri, http.Header{"Accept": {acceptTimeMap}, "Accept-Encoding": {"gzip"}}, meant)
}

// get requests uri and follows redirects, unless meant returns true for one.
func get(ctx context.Context, web Web, uri string, head http.Header, meant func(*http.Response) bool) (*http.Response, error) {
	for range maxHops + 1 {
		answer, err := web.Get(ctx, uri, head)
		if err != nil {
			return nil, err
		}
		to := answer.Header.Get("Location")
		if answer.StatusCode/100 != 3 || to == "" || meant(answer) {
			return answer, nil
		}
		answer.Body.Close()
		if uri = resolve(answer.Request.URL, to); uri == "" {
			return nil, fmt.Errorf("%s: redirects to %.200q, which is no address", answer.Request.URL, to)
		}
	}
	return nil, fmt.Errorf("%s: redirects more than %d times", uri, maxHops)
}
