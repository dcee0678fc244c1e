// Package static holds what browsers load from the server itself: the styles and scripts of the pages and the banner,
// and the client-side runtime (wombat) if the build has put it into dist/.
//
// [Handler] serves the files, [URL] names them. The package imports nothing else of varve.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Prefix is the path under which [Handler] serves.
const Prefix = "/-/static/"

// all: keeps dist/.keep, without which a build that has no wombat could not embed the folder.
//
//go:embed assets all:dist
var files embed.FS

// An asset is one embedded file and what HTTP says about it.
type asset struct {
	body []byte
	mime string
	gzip func() []byte // the compressed body, nil if compression gains little
	hash string        // of the body, 16 hex digits: the ETag, and the version in URLs
}

// types are the file types that are served. Other embedded files, such as dist/.keep, are not.
var types = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// bundles are files that browsers load as one, because every request delays a replayed page.
var bundles = map[string][]string{
	// the client-side runtime, in the order of the dependencies of its parts
	"replay.js": {
		"worker.js", "wombat.js", "start.js", "gaps.js", "attributes.js", "shown.js", "traces.js", "writes.js", "hosts.js",
		"messages.js", "names.js", "made.js", "edges.js", "caches.js", "serviceworker.js", "texts.js",
	},
	// the beginning of a worker
	"workerstart.js": {"labels.js", "worker.js"},
	// the stand-in for service workers in pages without the runtime, and the beginning of such a worker
	"serviceworkers.js": {"caches.js", "serviceworker.js"},
	"servicestart.js":   {"labels.js", "worker.js", "caches.js", "servicescope.js"},
}

// assets are the embedded files, which never change. They are loaded on first use, since most commands need none.
var assets = sync.OnceValue(func() map[string]asset { return load(files) })

func load(fsys fs.FS) map[string]asset {
	found := map[string]asset{}
	for _, dir := range []string{"dist", "assets"} {
		entries, _ := fs.ReadDir(fsys, dir) // fails only for a missing folder, which counts as empty
		for _, e := range entries {
			mime, ok := types[path.Ext(e.Name())]
			if !ok {
				continue
			}
			body, err := fs.ReadFile(fsys, dir+"/"+e.Name())
			if err != nil {
				continue
			}
			if dir == "assets" && path.Ext(e.Name()) == ".js" {
				body = withoutComments(body)
			}
			found[e.Name()] = newAsset(body, mime)
		}
	}
	for name, parts := range bundles {
		if body, whole := joined(found, parts); whole {
			found[name] = newAsset(body, types[path.Ext(name)])
		}
	}
	return found
}

// comment matches a comment behind code. It contains no quote, so that it can't begin inside a string that ends behind it.
var comment = regexp.MustCompile("([;{},()\\]]) // [A-Za-z][^\"'`\n]*(\n|$)")

// excuse matches the comment in an empty catch block.
var excuse = regexp.MustCompile(`catch \{ /\*[^*]*\*/ \}`)

// spaced matches a sign with the spaces around it, which nothing needs, or a string, a template or a regular expression.
var spaced = regexp.MustCompile("([=?:,;{}(&|!] ?/(?:[^/\\\\[\n]|\\\\.|\\[(?:[^\\]\\\\]|\\\\.)*\\])+/)" +
	"| ?([=?:,;{}()&|<>!+*-]+) ?|(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`)")

// withoutComments removes comments, indentation, and line breaks and spaces that nothing needs from a script, a fifth of its size. It works
// only for scripts of our own, in which no string or template spans several lines.
func withoutComments(script []byte) []byte {
	out, plain := make([]byte, 0, len(script)), false // plain: no comment is left before
	for line := range bytes.Lines(script) {
		if line = bytes.TrimLeft(line, " \t"); line[0] == '\n' || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		line = excuse.ReplaceAll(comment.ReplaceAll(line, []byte("$1$2")), []byte("catch {}"))
		if !bytes.ContainsAny(spaced.ReplaceAll(line, []byte("$2")), "`/") { // neither a division nor what only looks like the others
			line = spaced.ReplaceAll(line, []byte("$1$2$3"))
		}
		if end := len(out) - 1; plain && (strings.IndexByte(";{,([", out[end-1]) >= 0 || strings.IndexByte("})].?:&|", line[0]) >= 0) {
			out = out[:end]
		}
		out, plain = append(out, line...), !bytes.Contains(line, []byte("//"))
	}
	return bytes.ReplaceAll(out, []byte(";}"), []byte("}"))
}

func newAsset(body []byte, mime string) asset {
	sum := sha256.Sum256(body)
	packed := sync.OnceValue(func() []byte { return packed(body) })
	return asset{body: body, mime: mime, gzip: packed, hash: hex.EncodeToString(sum[:8])}
}

// joined returns the concatenated scripts; whole is false if one is missing.
func joined(found map[string]asset, parts []string) (body []byte, whole bool) {
	for _, name := range parts {
		part, ok := found[name]
		if !ok {
			return nil, false
		}
		body = append(append(body, part.body...), "\n;\n"...)
	}
	return body, true
}

// URL returns the path of a file with its version: "banner.js" becomes "/-/static/banner.js?v=0123456789abcdef". A
// name that is not embedded, such as wombat.js in a build without it, gets no version.
func URL(name string) string {
	a, ok := assets()[name]
	if !ok {
		return Prefix + name
	}
	return Prefix + name + "?v=" + a.hash
}

// HasWombat reports whether the build contains the client-side runtime. Without it, only what the server can rewrite is replayed.
func HasWombat() bool {
	_, ok := assets()["wombat.js"]
	return ok
}
