package ingest

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/varve-archive/varve/archive/warc"
)

// A PathIndex has the paths of files by their names.
type PathIndex map[string]string

// maxPathLine bounds a line of a path index.
const maxPathLine = 1 << 20

// ReadPathIndex reads a path index in the form of OpenWayback and pywb: lines of a name, a tab, and one or more paths. The first local path
// counts. elsewhere is the number of names without one.
func ReadPathIndex(r io.Reader) (at PathIndex, elsewhere int, err error) {
	at = PathIndex{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxPathLine)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimRight(lines.Text(), "\r")
		if strings.TrimSpace(text) == "" {
			continue
		}
		name, paths, found := strings.Cut(text, "\t")
		if !found || name == "" || strings.HasSuffix(name, "/") {
			return nil, 0, fmt.Errorf("line %d: want a name, a tab and a path", n)
		}
		if path := localOf(strings.Split(paths, "\t")); path != "" {
			at[warc.Base(name)] = path
		} else {
			elsewhere++
		}
	}
	return at, elsewhere, lines.Err()
}

// localOf returns the first local path, "" if there is none.
func localOf(paths []string) string {
	for _, p := range paths {
		scheme, _, remote := strings.Cut(p, "://")
		switch {
		case p == "":
		case strings.EqualFold(scheme, "file") && remote:
			if u, err := url.Parse(p); err == nil && (u.Host == "" || u.Host == "localhost") {
				return u.Path
			}
		case strings.HasPrefix(p, "file:/"):
			return strings.TrimPrefix(p, "file:")
		case !remote || strings.ContainsAny(scheme, `/\`):
			return p
		}
	}
	return ""
}
