package memento

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/varve-archive/varve/cdx"
)

// A TimeMap is the content of a TimeMap of any archive (RFC 7089 §5).
type TimeMap struct {
	Original string // URI-R
	TimeGate string // URI-G, "" if not named
	Self     string // URI-T, "" if not named
	From     cdx.Timestamp
	Until    cdx.Timestamp
	Mementos []Memento // in the order of the TimeMap
	Pages    []Page    // other TimeMaps that complete this one (§5.1.1)
}

// A Memento is one memento of a TimeMap.
type Memento struct {
	URI  string        // URI-M
	Time cdx.Timestamp // its archival datetime
}

// A Page is another TimeMap of the same URI-R. From and Until are 0 if not given.
type Page struct {
	URI         string // URI-T
	From, Until cdx.Timestamp
}

// maxTimeMapLen bounds a TimeMap in JSON, which is held in memory: half a million mementos take 100 MB.
const maxTimeMapLen = 256 << 20

// ReadTimeMap reads a TimeMap of any archive in link format, JSON or CDXJ. It recognizes the format by the first
// byte. It is as tolerant as [ScanLinks]. It leaves out mementos without a datetime. With an error it returns what it
// read before.
func ReadTimeMap(r io.Reader) (*TimeMap, error) {
	br := bufio.NewReader(r)
	for {
		c, err := br.Peek(1)
		if err != nil {
			return nil, fmt.Errorf("timemap: is empty: %w", err)
		}
		switch {
		case isSpace(c[0]) || bytes.IndexByte([]byte("\xef\xbb\xbf,"), c[0]) >= 0: // a byte order mark or a stray comma
			if _, err := br.ReadByte(); err != nil {
				return nil, fmt.Errorf("timemap: %w", err)
			}
		case c[0] == '<':
			return readLinkTimeMap(br)
		case c[0] == '{':
			return readJSONTimeMap(br)
		case c[0] == '!' || c[0] >= '0' && c[0] <= '9':
			return readCDXJTimeMap(br)
		default:
			return nil, fmt.Errorf("timemap: begins with %q: neither link format, JSON nor CDXJ", c[0])
		}
	}
}

func readLinkTimeMap(r io.Reader) (*TimeMap, error) {
	m := new(TimeMap)
	for l, err := range ScanLinks(r) {
		if err != nil {
			return m, fmt.Errorf("timemap: %w", err)
		}
		m.addLink(&l)
	}
	return m, nil
}

func (m *TimeMap) addLink(l *Link) {
	switch {
	case l.Has("memento"):
		m.add(l.URI, l.Datetime)
	case l.Has("original"):
		m.Original = l.URI
	case l.Has("self"):
		m.Self, m.From, m.Until = l.URI, l.From, l.Until
	case l.Has("timegate"):
		m.TimeGate = l.URI
	case l.Has("timemap"):
		m.Pages = append(m.Pages, Page{l.URI, l.From, l.Until})
	}
}

func (m *TimeMap) add(uri string, t cdx.Timestamp) {
	if uri != "" && t != 0 {
		m.Mementos = append(m.Mementos, Memento{uri, t})
	}
}

// jsonTimeMap is the form of http://mementoweb.org/guide/timemap-json. Pages may be one page or a list.
type jsonTimeMap struct {
	Original string `json:"original_uri"`
	Self     string `json:"self"`
	TimeGate string `json:"timegate_uri"`
	TimeMap  struct {
		JSON string `json:"json_format"`
	} `json:"timemap_uri"`
	Mementos struct {
		List []jsonMemento `json:"list"`
	} `json:"mementos"`
	Index []jsonPage                 `json:"timemap_index"`
	Pages map[string]json.RawMessage `json:"pages"`
}

type jsonMemento struct {
	Datetime string `json:"datetime"`
	URI      string `json:"uri"`
}

type jsonPage struct {
	URI   string `json:"uri"`
	From  string `json:"from"`
	Until string `json:"until"`
}

func readJSONTimeMap(r io.Reader) (*TimeMap, error) {
	var j jsonTimeMap
	if err := json.NewDecoder(io.LimitReader(r, maxTimeMapLen)).Decode(&j); err != nil {
		return nil, fmt.Errorf("timemap: %w", err)
	}
	if j.Original == "" {
		return nil, errors.New("timemap: JSON without original_uri")
	}
	m := &TimeMap{Original: j.Original, TimeGate: j.TimeGate, Self: j.Self}
	if m.Self == "" {
		m.Self = j.TimeMap.JSON
	}
	for _, e := range j.Mementos.List {
		t := parseAnyDatetime(e.Datetime)
		m.add(e.URI, t)
	}
	m.addPages(j.Index)
	m.addPages(listPages(j.Pages))
	return m, nil
}

// listPages returns the list of pages if there is one, because it includes prev and next.
func listPages(pages map[string]json.RawMessage) []jsonPage {
	if raw, ok := pages["list"]; ok {
		return decodePages(raw)
	}
	return append(decodePages(pages["prev"]), decodePages(pages["next"])...)
}

// decodePages reads one page or a list of them, and returns nil for anything else.
func decodePages(raw json.RawMessage) []jsonPage {
	var many []jsonPage
	if json.Unmarshal(raw, &many) == nil {
		return many
	}
	var one jsonPage
	if json.Unmarshal(raw, &one) == nil {
		return []jsonPage{one}
	}
	return nil
}

func (m *TimeMap) addPages(pages []jsonPage) {
	for _, p := range pages {
		if p.URI == "" || p.URI == m.Self {
			continue
		}
		from := parseAnyDatetime(p.From)
		until := parseAnyDatetime(p.Until)
		m.Pages = append(m.Pages, Page{p.URI, from, until})
	}
}

// parseAnyDatetime reads a datetime of either form, 0 if it is none.
func parseAnyDatetime(s string) cdx.Timestamp {
	t, ok := parseISO(s)
	if !ok {
		t, _ = parseDatetime(s)
	}
	return t
}

// readCDXJTimeMap reads the lines that MemGator writes. It skips all other lines.
func readCDXJTimeMap(r io.Reader) (*TimeMap, error) {
	m := new(TimeMap)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLinkLen)
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			continue
		}
		if strings.HasPrefix(key, "!") {
			m.addCDXJHeader(key, value)
			continue
		}
		var e jsonMemento
		t, err := cdx.ParseTimestamp(key)
		if err != nil || json.Unmarshal([]byte(value), &e) != nil {
			continue
		}
		m.add(e.URI, t)
	}
	if err := lines.Err(); err != nil {
		return m, fmt.Errorf("timemap: line after memento %d: %w", len(m.Mementos), err)
	}
	return m, nil
}

func (m *TimeMap) addCDXJHeader(key, value string) {
	var h struct {
		jsonTimeMap
		URI string `json:"uri"`
	}
	if json.Unmarshal([]byte(value), &h) != nil {
		return
	}
	if key == "!id" {
		m.Self = h.URI
		return
	}
	if h.Original != "" {
		m.Original = h.Original
	}
	if h.TimeGate != "" {
		m.TimeGate = h.TimeGate
	}
	m.addPages(listPages(h.Pages))
}
