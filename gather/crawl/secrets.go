package crawl

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/gather/client"
	"github.com/varve-archive/varve/gather/crawl/frontier"
	"github.com/varve-archive/varve/gather/record"
	"github.com/varve-archive/varve/internal/sentinel"
)

// errTells says that a request contains a secret that can't be removed.
const errTells = sentinel.Error("it has a secret in it")

// maxUnescapes is how often percent-encoding is undone: an address inside another one may be encoded again.
const maxUnescapes = 3

// secrets are values that actions fill in and that must not become known.
type secrets []string

// in reports whether a text contains one of the secrets in a form in which browsers send it: literally, percent-encoded as in
// addresses and forms, in JSON, or in a combination of these. It doesn't find other encodings by scripts.
func (s secrets) in(text string) bool {
	if len(s) == 0 {
		return false
	}
	for range maxUnescapes + 1 {
		once := unquoted(text)
		if s.show(text) || once != text && (s.show(once) || s.show(unquoted(once))) {
			return true
		}
		plain := unescaped(text)
		if plain == text {
			break
		}
		text = plain
	}
	return false
}

// show reports whether a text contains a secret literally. Forms write a space as "+", so both count as equal.
func (s secrets) show(text string) bool {
	spaced := strings.ReplaceAll(text, "+", " ")
	return slices.ContainsFunc(s, func(s string) bool { return strings.Contains(spaced, strings.ReplaceAll(s, "+", " ")) })
}

var (
	percent = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	escape  = regexp.MustCompile(`(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]`) // pairs of surrogates are one character
)

// unescaped undoes percent-encoding wherever it occurs, since writers differ in what they encode.
func unescaped(text string) string {
	return percent.ReplaceAllStringFunc(text, func(code string) string {
		b, _ := hex.DecodeString(code[1:]) // always two hexadecimal digits
		return string(b)
	})
}

// unquoted undoes the escapes of JSON in a text.
func unquoted(text string) string {
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		var plain string
		if json.Unmarshal([]byte(`"`+code+`"`), &plain) != nil {
			return code
		}
		return plain
	})
}

// withoutSecrets removes cookies, credentials, passwords and the secrets of actions from an exchange, as a recorder does. free must
// be called once the exchange is written. If the request still contains a secret, it is left out, provided that the answer can do
// without it.
func (c *Crawl) withoutSecrets(x *write.Exchange) (free func(), err error) {
	free, err = record.WithoutSecrets(x)
	if err != nil || len(c.set.secrets) == 0 {
		return free, err
	}
	sent, err := start(x.Request)
	if err == nil && c.set.secrets.in(sent) {
		if strings.HasPrefix(sent, "GET ") {
			x.Request = nil
		} else {
			err = errTells
		}
	}
	if err != nil {
		free()
		return nil, err
	}
	return free, nil
}

// start returns the part of a message that may contain a secret.
func start(message io.ReadSeeker) (string, error) {
	if _, err := message.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(message, 2*maxSent))
	return string(text), err
}

// keepSent writes the answer to a request with a body, unless that would reveal a secret.
func (c *Crawl) keepSent(ctx context.Context, item frontier.Item, e *client.Exchange) error {
	a, err := c.write(item, e)
	if errors.Is(err, errTells) {
		c.log.Debug("what was sent has a secret in it, so it is not written", "url", item.URL)
		return nil
	}
	if err != nil {
		return err
	}
	return c.front.Count(context.WithoutCancel(ctx), item, a)
}
