package record

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/internal/contenttype"
	"github.com/varve-archive/varve/internal/filebuffer"
)

// redactions has the replacements for messages with secrets.
type redactions struct {
	names   map[string]bool // what was left out of either message
	changed bool            // something was left out of the current message
	buffers []*filebuffer.Buffer
}

// leave records that something was left out.
func (s *redactions) leave(name string) { s.names[name], s.changed = true, true }

// Close frees the buffers of the messages.
func (s *redactions) Close() error {
	var all error
	for _, kept := range s.buffers {
		all = errors.Join(all, kept.Close())
	}
	return all
}

const (
	// maxMemory is the size up to which a scrubbed message is buffered in memory, in bytes.
	maxMemory = 256 << 10
	// maxForm is the largest request body that is searched for passwords, in bytes. A larger form is left out whole.
	maxForm = 1 << 20
)

// WithoutSecrets removes secrets from the messages of an exchange: credentials, cookies, and form fields with names that suggest
// secrets. It adds to the metadata what was left out. free must be called once the exchange is written.
func WithoutSecrets(x *write.Exchange) (free func(), err error) {
	s, err := withoutSecrets(x)
	if err != nil {
		return nil, err
	}
	if len(s.names) > 0 {
		x.Metadata = append(x.Metadata, warc.Field{Name: "left-out", Value: strings.Join(slices.Sorted(maps.Keys(s.names)), ", ")})
	}
	return func() { _ = s.Close() }, nil
}

// RedactBody returns a request body as [WithoutSecrets] writes it, or nil if all of it is left out.
func RedactBody(body []byte, h http.Header) []byte {
	kind := formType(h.Get("Content-Type"), body)
	if !isForm(kind) {
		return body
	}
	if len(body) > maxForm || h.Get("Content-Encoding") != "" || hides(body, nil, kind) {
		return nil
	}
	return scrubForm(body, kind)
}

// withoutSecrets removes secrets from the messages of an exchange.
func withoutSecrets(x *write.Exchange) (*redactions, error) {
	s := &redactions{names: map[string]bool{}}
	for _, message := range []*io.ReadSeeker{&x.Request, &x.Response} {
		replaced, err := s.message(*message, message == &x.Request)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		*message = replaced
	}
	return s, nil
}

// message returns a message without secrets, or the message itself if there are none.
func (s *redactions) message(m io.ReadSeeker, request bool) (io.ReadSeeker, error) {
	if _, err := m.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	s.changed = false
	r := bufio.NewReader(m)
	head, kind, err := s.head(r)
	if err != nil {
		return nil, err
	}
	var body io.Reader = r
	if request && (isForm(kind) || mayBeJSON(kind)) {
		if body, head, err = s.form(r, head, kind); err != nil {
			return nil, err
		}
	}
	if !s.changed {
		_, err := m.Seek(0, io.SeekStart)
		return m, err
	}
	kept := &filebuffer.Buffer{Memory: maxMemory}
	s.buffers = append(s.buffers, kept)
	if _, err := io.Copy(kept, io.MultiReader(bytes.NewReader(head), body)); err != nil {
		return nil, err
	}
	return kept.Reader(), nil
}

// head reads the head of a message and returns it without secrets, together with its Content-Type. All other bytes stay.
func (s *redactions) head(r *bufio.Reader) (head []byte, kind string, err error) {
	secret := false // the field whose lines these are is left out
	for {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, "", err
		}
		name, value, _ := strings.Cut(string(line), ":")
		switch {
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			return append(head, line...), kind, nil
		case line[0] == ' ' || line[0] == '\t': // a folded line goes with the one before
			if secret {
				line = nil
			}
		default:
			line, secret = s.field(line, name, value)
			if strings.EqualFold(name, "Content-Type") {
				kind = strings.TrimSpace(value)
			}
		}
		head = append(head, line...)
		if err != nil {
			return head, kind, nil
		}
	}
}

// field returns a line of a head without its secret part, and whether the whole field is secret.
func (s *redactions) field(line []byte, name, value string) (kept []byte, secret bool) {
	end := line[len(bytes.TrimRight(line, "\r\n")):]
	plain := strings.ToLower(strings.TrimRight(name, " \t")) // browsers pass over white space before the colon
	switch plain {
	case "authorization", "proxy-authorization", "cookie2":
		s.leave(plain)
		return nil, true
	case "cookie":
		s.leave("cookies")
		return append([]byte(name+": "+cookieNames(value)), end...), true
	case "set-cookie":
		s.leave("cookies")
		given, attributes, _ := strings.Cut(strings.TrimRight(value, "\r\n"), ";")
		if attributes != "" {
			attributes = ";" + attributes
		}
		return append([]byte(name+": "+cookieName(given)+attributes), end...), true
	}
	if isCredential(plain) {
		s.leave(plain)
		return nil, true
	}
	return line, false
}

// isCredential reports whether a header field of a site's own, such as X-Api-Key or X-Auth-Token, says who asks.
func isCredential(name string) bool {
	if strings.HasPrefix(name, "access-control-") { // such as Access-Control-Allow-Credentials
		return false
	}
	return secretName.MatchString(name) || strings.Contains(name, "api-key") || strings.Contains(name, "apikey") ||
		strings.HasPrefix(name, "x-auth-") || strings.HasSuffix(name, "-auth")
}

// cookieNames returns the cookies of a request without their values.
func cookieNames(value string) string {
	var names []string
	for cookie := range strings.SplitSeq(strings.TrimSpace(value), ";") {
		names = append(names, cookieName(cookie))
	}
	return strings.Join(names, "; ")
}

// cookieName returns a cookie without its value. A cookie without "=" is only a value (RFC 6265bis §5.6).
func cookieName(cookie string) string {
	name, _, named := strings.Cut(strings.TrimSpace(cookie), "=")
	if !named {
		name = ""
	}
	return name + "="
}

// secretName matches names of fields whose values may be secret.
var secretName = regexp.MustCompile(`(?i)passw|passphrase|pwd|secret|token|\bpin\b|otp|cvv|cvc|card.?(?:no|num)|iban|credential` +
	`|\bpw\b|kennwort|mot.?de.?passe|\bmdp\b|senha|contrase|wachtwoord|has[lł]o\b`)

// secretJSON matches a member of a JSON object with its name and its value, if that is a string or a number.
var secretJSON = regexp.MustCompile(`("(?:[^"\\]|\\.)*"\s*:\s*)("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`)

// secretPart matches a part of multipart/form-data with its name and its value.
var secretPart = regexp.MustCompile(`(?is)(content-disposition:[^\r\n]*\bname="?([^"\r\n;]*)"?.*?\r?\n\r?\n)(.*?)(\r?\n--)`)

// secretWithin matches a member of a JSON object whose value is an object or an array, or names a field, as in {"name": "password"}.
var secretWithin = regexp.MustCompile(`("(?:[^"\\]|\\.)*")\s*:\s*[\[{]|"(?i:name|key|field|id|type|label)"\s*:\s*("(?:[^"\\]|\\.)*")`)

// hides reports whether a body may contain secrets that can't be removed one by one: it is compressed, their values are nested, or their
// names are values themselves.
func hides(body, head []byte, contentType string) bool {
	if encodedHead.Match(head) {
		return true
	}
	if !isJSON(contentType) {
		return false
	}
	return slices.ContainsFunc(secretWithin.FindAllSubmatch(body, -1), func(m [][]byte) bool {
		return secretName.Match(m[1]) || secretName.Match(m[2])
	})
}

// encodedHead matches the head of a message whose body is compressed.
var encodedHead = regexp.MustCompile(`(?im)^content-encoding:[ \t]*[^ \t\r\n]`)

// isForm reports whether a body of this type has named values of a form or script.
func isForm(contentType string) bool {
	kind := contenttype.Media(contentType)
	return kind == "application/x-www-form-urlencoded" || kind == "multipart/form-data" || isJSON(kind)
}

// isJSON reports whether a type is one of JSON: application/json, text/json, application/ld+json, application/x-ndjson and the like.
func isJSON(contentType string) bool {
	return strings.HasSuffix(contenttype.Media(contentType), "json")
}

// mayBeJSON reports whether bodies of a type are JSON if they look like it. Scripts that name no type send text/plain (Fetch §6.2).
func mayBeJSON(contentType string) bool {
	kind := contenttype.Media(contentType)
	return kind == "" || kind == "text/plain"
}

// formType returns the type of a body, however little its Content-Type says.
func formType(contentType string, body []byte) string {
	body = bytes.TrimLeft(body, " \t\r\n")
	if mayBeJSON(contentType) && (bytes.HasPrefix(body, []byte("{")) || bytes.HasPrefix(body, []byte("["))) {
		return "application/json"
	}
	return contentType
}

// form returns a request body without secrets, and the matching head. If something was left out, the body has no transfer coding
// any more, and the head gives its length.
func (s *redactions) form(r *bufio.Reader, head []byte, kind string) (io.Reader, []byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxForm+1))
	if err != nil {
		return nil, nil, err
	}
	plain, err := dechunked(raw, head)
	if kind = formType(kind, plain); !isForm(kind) {
		return io.MultiReader(bytes.NewReader(raw), r), head, nil
	}
	if len(raw) > maxForm || err != nil || hides(plain, head, kind) {
		s.leave("the sent form")
		return bytes.NewReader(nil), withLength(head, 0), nil
	}
	clean := scrubForm(plain, kind)
	if bytes.Equal(clean, plain) {
		return bytes.NewReader(raw), head, nil
	}
	s.leave("passwords")
	return bytes.NewReader(clean), withLength(head, len(clean)), nil
}

// scrubForm returns a body without the values of secret fields.
func scrubForm(body []byte, contentType string) []byte {
	switch kind := contenttype.Media(contentType); {
	case kind == "application/x-www-form-urlencoded":
		return scrubPairs(body)
	case kind == "multipart/form-data":
		return secretPart.ReplaceAllFunc(body, func(part []byte) []byte {
			m := secretPart.FindSubmatch(part)
			if !secretName.Match(m[2]) && !holdsSecret(m[3]) {
				return part
			}
			return bytes.Join([][]byte{m[1], m[4]}, nil)
		})
	}
	return secretJSON.ReplaceAllFunc(body, func(member []byte) []byte {
		m := secretJSON.FindSubmatch(member)
		if !secretName.Match(m[1]) && !holdsSecret(m[2]) {
			return member
		}
		return append(bytes.Clone(m[1]), `""`...)
	})
}

// holdsSecret reports whether a value is a text in which a secret is named and follows, as in JSON and GraphQL: password: "…".
func holdsSecret(value []byte) bool {
	end := 0 // of the word around the secret before
	for _, at := range secretName.FindAllIndex(value, -1) {
		if at[1] <= end {
			continue
		}
		rest := bytes.TrimLeftFunc(value[at[1]:], func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
		end = len(value) - len(rest)
		after, ok := bytes.CutPrefix(bytes.TrimLeft(rest, `\"' `), []byte(":"))
		after = bytes.TrimLeft(after, `\ `)
		if ok && len(after) > 0 && strings.IndexByte(`"'{[0123456789`, after[0]) >= 0 {
			return true
		}
	}
	return false
}

// scrubPairs removes secret values from URL-encoded form data.
func scrubPairs(body []byte) []byte {
	pairs := bytes.Split(body, []byte("&"))
	for i, pair := range pairs {
		if name, value, ok := bytes.Cut(pair, []byte("=")); ok && (secretName.Match(unescaped(name)) || holdsSecret(unescaped(value))) {
			pairs[i] = append(bytes.Clone(name), '=')
		}
	}
	return bytes.Join(pairs, []byte("&"))
}
