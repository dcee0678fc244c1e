package upload

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/varve-archive/varve/archive/warc"
)

// maxStem bounds a name without its extension, in bytes. File systems allow 255 bytes for a whole name.
const maxStem = 120

// unnamed is the stem for a file of whose name nothing remains.
const unnamed = "upload"

// extensionOf returns the extension for files of a format, "" for one that is not accepted. Folders are searched for these extensions.
func extensionOf(format warc.Format) string {
	switch format {
	case warc.WARC:
		return ".warc"
	case warc.WARCGzip:
		return ".warc.gz"
	case warc.WARCZstd:
		return ".warc.zst"
	case warc.ARC:
		return ".arc"
	case warc.ARCGzip:
		return ".arc.gz"
	case warc.WACZ:
		return ".wacz"
	}
	return ""
}

// endings are removed from the names of uploaded files, the longest first: only the content determines the type.
func endings() []string {
	return []string{".warc.gz", ".warc.zst", ".arc.gz", ".wacz.zip", ".warc", ".arc", ".wacz", ".gz", ".zst", ".zip"}
}

// Name returns the name for storing a file of a format that was sent under the name said. It is derived from the last element of a path of
// any system, and has letters, digits and ". _ -" only, no dot or dash at the beginning, a bounded length, one Unicode form, and is no
// device name of Windows. The extension is that of the format, "" for one that isn't accepted.
func Name(said string, format warc.Format) string {
	said = strings.ToValidUTF8(said, "_")
	said = said[strings.LastIndexAny(said, `/\`)+1:]
	return stem(said) + extensionOf(format)
}

// stem cleans a base name and removes its extension.
func stem(base string) string {
	base = withoutEnding(strings.TrimSpace(base))
	base = strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd), r == '.', r == '-', r == '_':
			return r
		case unicode.Is(unicode.C, r): // control characters, including those that change the writing direction
			return -1
		}
		return '_'
	}, base)
	base = norm.NFC.String(base)
	base = strings.TrimLeftFunc(base, func(r rune) bool { return r == '.' || r == '-' || unicode.Is(unicode.M, r) })
	base = shortened(base)
	for before := ""; base != before; { // cleaning may have produced another ending
		before, base = base, strings.TrimRight(withoutEnding(base), ".")
	}
	switch {
	case strings.Trim(base, "._-") == "":
		return unnamed
	case isDevice(base):
		return "_" + base
	}
	return base
}

// withoutEnding removes all known extensions: "a.warc.gz.gz" becomes "a".
func withoutEnding(base string) string {
	for again := true; again; {
		again = false
		for _, e := range endings() {
			if n := len(base) - len(e); n >= 0 && strings.EqualFold(base[n:], e) {
				base, again = base[:n], true
			}
		}
	}
	return base
}

// shortened cuts a name between characters.
func shortened(base string) string {
	if len(base) <= maxStem {
		return base
	}
	n := maxStem
	for n > 0 && !utf8.RuneStart(base[n]) {
		n--
	}
	return base[:n]
}

// isDevice reports whether a name, up to its first dot, is a device name of Windows.
func isDevice(base string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(base), ".")
	switch name {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "COM") || strings.HasPrefix(name, "LPT")) && name[3] >= '0' && name[3] <= '9'
}

// numbered returns a name with a number before its extension: "a.warc.gz" becomes "a-2.warc.gz".
func numbered(name string, n string) string {
	base := withoutEnding(name)
	return base + "-" + n + name[len(base):]
}
