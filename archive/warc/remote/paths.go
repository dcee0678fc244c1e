package remote

import (
	"iter"
	"path"
	"strings"

	"github.com/varve-archive/varve/archive/warc"
)

// match returns the paths of entries that match a pattern.
func match(entries iter.Seq2[warc.Entry, error], pattern string) (found []string, err error) {
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		ok, err := path.Match(pattern, e.Path)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, e.Path)
		}
	}
	return found, nil
}

// join joins a folder's path and a relative name, and never leaves the bucket or host of the folder.
func join(folder, name string) string {
	scheme, rest, _ := strings.Cut(folder, "://")
	host, inside, _ := strings.Cut(rest, "/")
	return scheme + "://" + host + path.Join("/", inside, name)
}
