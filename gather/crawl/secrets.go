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

// errTells says that a request has a secret in it that can't be taken out.
const errTells = sentinel.Error("it has a secret in it")

// layers is how often percent-encoding is undone: an address that goes on to another may have that encoded once more.
const layers = 3

// Secrets are what actions fill in that nobody else may know.
type secrets []string

// in reports whether a text has one of the secrets in it, in a form in which browsers send it: as it is, in the percent-encoding of
// addresses and forms, or in JSON, also in each other. What scripts make of it otherwise is not found.
func (s secrets) in(text string) bool {
	if len(s) == 0 {
		return false
	}
	for range layers + 1 {
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

// show reports whether a text has a secret in it as it is. Forms write a space as a plus, so one is taken for the other.
func (s secrets) show(text string) bool {
	spaced := strings.ReplaceAll(text, "+", " ")
	return slices.ContainsFunc(s, func(s string) bool { return strings.Contains(spaced, strings.ReplaceAll(s, "+", " ")) })
}

var (
	percent = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	escape  = regexp.MustCompile(`(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]`) // pairs of surrogates are one character
)

// unescaped undoes percent-encoding wherever there is any: every writer leaves other characters as they are.
func unescaped(text string) string {
	return percent.ReplaceAllStringFunc(text, func(code string) string {
		b, _ := hex.DecodeString(code[1:]) // these are two digits
		return string(b)
	})
}

// unquoted undoes what JSON escapes in a text.
func unquoted(text string) string {
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		var plain string
		if json.Unmarshal([]byte(`"`+code+`"`), &plain) != nil {
			return code
		}
		return plain
	})
}

// withoutSecrets takes cookies, credentials, passwords and what actions fill in out of an exchange, as a recorder does. free is called
// once it has been written. A request that tells a secret all the same is left out, if the answer can do without.
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

// start returns as much of a message as may have a secret in it.
func start(message io.ReadSeeker) (string, error) {
	if _, err := message.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(message, 2*longestSent))
	return string(text), err
}

// keepSent writes the answer to a request that sent something, unless that would tell a secret.
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
