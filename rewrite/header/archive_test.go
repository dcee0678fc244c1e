package header

import (
	"strings"

	"github.com/varve-archive/varve/rewrite/uses"
)

// archive answers like an archive that captured everything on 1 January 2020.
func archive(refs []uses.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		if !strings.HasPrefix(r.URI, "http://archive.test/") {
			out[i] = "http://archive.test/web/20200101000000" + r.Use.String() + "/" + r.URI
		}
	}
	return out
}
