// Package chunks finds the files that a bundler has split off from a site's scripts, and that these load when a reader first needs them. No
// page names them: the scripts put their addresses together from names and hashes.
package chunks

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/varve-archive/varve/rewrite/reference"
)

// maxFiles is the number of files that are taken from one script.
const maxFiles = 1000

var (
	// publicPath finds the folder that the runtime of webpack takes all files from, which may be relative to its own.
	publicPath = regexp.MustCompile(
		`\.p\s*=\s*(\(?(?:[\w$]+\s*=\s*)?[\w$]+(?:\s*\.replace\([^)]*\))*\)?\s*\+\s*)?(?:"([^"\\\s]*)"|'([^'\\\s]*)')`,
	)
	// filesLists finds what the scripts of Vite and Turbopack load together.
	filesLists = regexp.MustCompile(`\[\s*(?:"[^"\\\s]+\.(?:css|m?js)"\s*,?\s*)+\]`)
)

// Find returns the addresses of the files that a script can load later: those that the runtime of webpack or Rspack can name, and those in
// the lists of Vite and Turbopack. address is the script's, or that of the page it stands in, and page that of the page that loads it, ""
// if unknown.
func Find(script []byte, address, page string) (addresses []string) {
	taken := map[string]bool{}
	add := func(base, ref string) {
		if len(addresses) == maxFiles {
			return
		}
		if at, err := reference.Web(base, ref); err == nil && !taken[at] {
			addresses, taken[at] = append(addresses, at), true
		}
	}
	if bytes.Contains(script, []byte("oading chunk ")) { // what the runtime says if that fails
		base, folder := address, ""
		if m := publicPath.FindSubmatch(script); m != nil {
			folder = string(m[2]) + string(m[3])
			if len(m[1]) == 0 && page != "" {
				base = page
			}
		}
		for _, file := range files(script) {
			add(base, folder+file)
		}
	}
	if page == address {
		return addresses
	}
	for _, list := range filesLists.FindAll(script, -1) { // which are in modules, not in pages
		for ref := range strings.SplitSeq(strings.Trim(string(list), "[]"), ",") {
			ref = strings.Trim(ref, "\" \r\n\t")
			if base, ok := baseOf(address, ref); ok {
				add(base, ref)
			}
		}
	}
	return addresses
}

// baseOf returns the address to which a reference in such a list is relative: the script's, or the folder from which both it and the
// script can be reached by the same way.
func baseOf(address, ref string) (base string, ok bool) {
	if strings.HasPrefix(ref, ".") || strings.HasPrefix(ref, "/") || strings.Contains(ref, "://") {
		return address, true
	}
	i := strings.LastIndex(address, "/"+path.Dir(ref)+"/")
	return address[:i+1], i > 0
}
