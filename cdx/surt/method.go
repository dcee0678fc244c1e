package surt

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxMethodQuery is how much of a request body goes into a key. The indexers and replay tools of the pywb family cut
// there too, so the keys agree.
const maxMethodQuery = 4096

// OfRequest returns the key of a capture that answers a request with a method other than GET. The body becomes part of
// the query, so that the answer to a POST never answers a GET or another POST.
//
// It follows pywb and the IIPC's guideline for non-GET requests: it appends "__wb_method=POST" and the fields of a
// form, of multipart data or of (flattened) JSON to the URI, and any other body as "__wb_post_data=" in base64. Only
// POST and PUT have bodies. With method "" or GET it is [Of].
func OfRequest(uri, method string, body []byte, contentType string) string {
	return ofRequest(uri, method, body, contentType, maxMethodQuery)
}

// OfWholeRequest is [OfRequest] with all of the body, however long it is. No index has such keys; they tell two long bodies
// apart of which OfRequest sees only the beginning.
func OfWholeRequest(uri, method string, body []byte, contentType string) string {
	return ofRequest(uri, method, body, contentType, math.MaxInt)
}

func ofRequest(uri, method string, body []byte, contentType string, most int) string {
	method = strings.ToUpper(method)
	if method == "" || method == "GET" {
		return Of(uri)
	}
	uri, _, _ = strings.Cut(uri, "#")
	sep := "?"
	if strings.Contains(uri, "?") {
		sep = "&"
	}
	uri += sep + "__wb_method=" + method
	if method == "POST" || method == "PUT" {
		if q := bodyQuery(body, strings.ToLower(contentType), contentType, most); q != "" {
			uri += "&" + q
		}
	}
	return Of(uri)
}

// HasMethod reports whether the captures under key answer a method other than GET.
func HasMethod(key string) bool {
	_, query, found := strings.Cut(key, "?")
	return found && (strings.HasPrefix(query, "__wb_method=") || strings.Contains(query, "&__wb_method="))
}

func bodyQuery(body []byte, kind, contentType string, most int) string {
	if len(body) == 0 {
		return ""
	}
	switch {
	case strings.HasPrefix(kind, "application/x-www-form-urlencoded"):
		if utf8.Valid(body) {
			return cutRunes(formQuery(string(body)), most)
		}
	case strings.HasPrefix(kind, "multipart/"):
		if q, err := multipartQuery(body, contentType, most); err == nil {
			return cutRunes(q, most)
		}
	case strings.HasPrefix(kind, "application/json"): // a body that isn't JSON is left out
		q, _ := jsonQuery(body)
		return cutRunes(q, most)
	case strings.HasPrefix(kind, "text/plain"):
		if q, err := jsonQuery(body); err == nil {
			return cutRunes(q, most)
		}
	}
	return binaryQuery(body, most)
}

func binaryQuery(body []byte, most int) string {
	body = body[:min(len(body), most/4*3)]
	return cutRunes("__wb_post_data="+base64.StdEncoding.EncodeToString(body), most)
}

// formQuery undoes the encoding of a form. Unlike [url.QueryUnescape] it keeps badly encoded bytes as they are.
func formQuery(form string) string {
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		switch c := form[i]; {
		case c == '+':
			b.WriteByte(' ')
		case c == '%' && i+2 < len(form) && unhex(form[i+1]) < 16 && unhex(form[i+2]) < 16:
			b.WriteByte(unhex(form[i+1])<<4 | unhex(form[i+2]))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

func multipartQuery(body []byte, contentType string, most int) (string, error) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return "", errors.New("multipart body without a boundary")
	}
	r := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	var q []string
	for n := 0; n < most; {
		part, err := r.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
		value, err := io.ReadAll(io.LimitReader(part, int64(most)))
		if err != nil {
			return "", err
		}
		q = append(q, url.QueryEscape(part.FormName())+"="+url.QueryEscape(string(value)))
		n += len(q[len(q)-1]) + 1
	}
	return strings.Join(q, "&"), nil
}

// jsonQuery flattens JSON, or lines of JSON: each number, string and literal under its nearest name. A repeated name is
// followed by ".2_", ".3_" and so on.
func jsonQuery(body []byte) (string, error) {
	f := flattener{seen: map[string]int{}}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	for values := 0; ; values++ {
		err := f.value(dec, "", 0)
		if err == io.EOF && values > 0 {
			return strings.Join(f.query, "&"), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// maxJSONDepth bounds the recursion into hostile JSON.
const maxJSONDepth = 200

type flattener struct {
	query []string
	seen  map[string]int // how often each name has come
}

func (f *flattener) value(dec *json.Decoder, name string, depth int) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	if depth > maxJSONDepth {
		return fmt.Errorf("JSON is nested more than %d deep", maxJSONDepth)
	}
	delim, nested := tok.(json.Delim)
	if !nested {
		f.add(name, scriptString(tok))
		return nil
	}
	for dec.More() {
		inner := name
		if delim == '{' {
			key, err := dec.Token()
			if err != nil {
				return noEOF(err)
			}
			inner, _ = key.(string)
		}
		if err := f.value(dec, inner, depth+1); err != nil {
			return noEOF(err)
		}
	}
	_, err = dec.Token()
	return noEOF(err)
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (f *flattener) add(name, value string) {
	if name == "" {
		return
	}
	f.seen[name]++
	if n := f.seen[name]; n > 1 {
		name += "." + strconv.Itoa(n) + "_"
	}
	f.query = append(f.query, url.QueryEscape(name)+"="+url.QueryEscape(value))
}

// scriptString formats a JSON scalar as JavaScript would, which the guideline requires, however its digits were
// written.
func scriptString(tok json.Token) string {
	switch v := tok.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		n, err := v.Float64()
		if err != nil {
			return v.String()
		}
		b, err := json.Marshal(n) // formats numbers as ECMAScript does
		if err != nil {
			return v.String()
		}
		return string(b)
	case string:
		return v
	}
	return ""
}

// cutRunes returns the first n characters of s.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
