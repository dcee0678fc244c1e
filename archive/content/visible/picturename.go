package visible

import (
	"net/url"
	"path"
	"strings"
)

// PictureName returns the part of a picture's address that identifies it: the name of its file, without what varies for the same picture,
// such as size, format, tokens and host.
func PictureName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if inner := innerAddress(u.Query()); inner != "" {
		return PictureName(inner)
	}
	dir, file := path.Split(strings.ToLower(u.Path))
	ext := path.Ext(file)
	name := withoutSizes(strings.TrimSuffix(file, ext))
	if name == "" || isGeneric(name) {
		name = withoutSizes(path.Base(dir)) + "/" + name
	}
	if name == "/" {
		name = strings.ToLower(u.Path)
	}
	if isProgram(ext) {
		name += "?" + withoutVarying(u.Query()).Encode()
	}
	return name
}

// innerAddress returns the address in a query to a resizing server, "" if there is none.
func innerAddress(query url.Values) string {
	for _, key := range []string{"url", "src", "image", "img"} {
		if v := query.Get(key); strings.Contains(v, "/") {
			return v
		}
	}
	return ""
}

// isProgram reports whether files with this ending are generated from queries.
func isProgram(ext string) bool {
	switch ext {
	case "", ".php", ".asp", ".aspx", ".ashx", ".cgi", ".jsp", ".pl", ".dll":
		return true
	}
	return false
}

// withoutVarying returns a query without sizes, formats, tokens and cache busters.
func withoutVarying(query url.Values) url.Values {
	for key := range query {
		switch strings.ToLower(key) {
		case "v", "ver", "version", "t", "ts", "time", "_", "cb", "cachebuster", "rnd", "random", "rev", "w", "h", "width", "height", "size",
			"s", "q", "quality", "fit", "crop", "resize", "auto", "dpr", "fm", "format", "fl", "strip", "ssl", "token", "sig", "signature",
			"expires", "hash", "key", "itok", "x", "y", "scale", "mode", "type":
			delete(query, key)
		}
	}
	return query
}

// isGeneric reports whether a file's name doesn't identify it without its folder.
func isGeneric(name string) bool {
	if strings.Trim(name, "0123456789") == "" && len(name) < 5 {
		return true
	}
	switch name {
	case "image", "img", "photo", "picture", "pic", "original", "large", "medium", "small", "thumb", "full", "default", "cover", "main",
		"header", "hero", "index", "file", "preview", "poster":
		return true
	}
	return false
}

// withoutSizes returns a file's name without the parts that are sizes or tokens. Tokens stay if there is nothing else.
func withoutSizes(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_.@, ", r) })
	var kept, tokens []string
	for _, p := range parts {
		switch {
		case isToken(p):
			tokens = append(tokens, p)
		case !isSize(p):
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		kept = tokens
	}
	return strings.Join(kept, "-")
}

// isSize reports whether a part of a name is a size: 300x200, 640px, 640w, 2x, scaled.
func isSize(part string) bool {
	switch part {
	case "scaled", "thumb", "thumbnail", "small", "medium", "large", "full", "original", "xs", "sm", "md", "lg", "xl", "webp", "min", "copy":
		return true
	}
	digits := strings.TrimRight(part, "pxwh")
	if digits != part && digits != "" && strings.Trim(digits, "0123456789") == "" {
		return true
	}
	a, b, ok := strings.Cut(part, "x")
	return ok && a != "" && b != "" && strings.Trim(a+b, "0123456789") == ""
}

// isToken reports whether a part of a name is a hash of the file: eight or more hexadecimal digits, letters among them.
func isToken(part string) bool {
	return len(part) >= 8 && strings.Trim(part, "0123456789abcdef") == "" && strings.ContainsAny(part, "abcdef") &&
		strings.ContainsAny(part, "0123456789")
}
