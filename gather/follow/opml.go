package follow

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/net/html/charset"
)

// maxOPML is the largest size of a file of subscriptions, in bytes.
const maxOPML = 32 << 20

// open returns the feeds in an OPML file as sources. They have the other settings of the source that names the file.
func (s Source) open(dir string) ([]Source, error) {
	if strings.Contains(s.OPML, "://") {
		return nil, fmt.Errorf("%q: want a file of this machine", s.OPML)
	}
	path := s.OPML
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	addresses, err := readOPML(io.LimitReader(f, maxOPML))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.OPML, err)
	}
	if len(addresses) == 0 {
		return nil, fmt.Errorf("%s: no outline in it has an xmlUrl", s.OPML)
	}
	feeds := make([]Source, len(addresses))
	for i, a := range addresses {
		feeds[i] = s
		feeds[i].OPML, feeds[i].Feed = "", a
	}
	return feeds, nil
}

// readOPML returns the addresses of the feeds in a file of subscriptions, in order.
func readOPML(r io.Reader) (addresses []string, err error) {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.CharsetReader = charset.NewReaderLabel
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return addresses, nil
		} else if err != nil {
			return nil, fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "outline" {
			continue
		}
		for _, a := range start.Attr {
			if strings.EqualFold(a.Name.Local, "xmlUrl") && strings.TrimSpace(a.Value) != "" {
				addresses = append(addresses, strings.TrimSpace(a.Value))
			}
		}
		if len(addresses) > maxSources {
			return nil, fmt.Errorf("more than %d feeds are in it", maxSources)
		}
	}
}
