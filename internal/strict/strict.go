// Package strict decodes YAML files and refuses unknown keys. Its errors are in plain words and name the line.
package strict

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Decode decodes a file. An empty file changes nothing.
func Decode(text []byte, into any) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return Plainly(err)
	}
	return nil
}

var unknownKey = regexp.MustCompile(`field (\S+) not found in type \S+`)

// Plainly returns an error in words without Go's types.
func Plainly(err error) error {
	text := unknownKey.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), "unknown key $1")
	text = strings.TrimPrefix(text, "unmarshal errors:\n  ")
	if strings.Contains(text, "runtime error") { // the library's, for a key that is a mapping or a list
		text = "a key has to be a word"
	}
	return errors.New(strings.ReplaceAll(text, "\n  ", "; "))
}
