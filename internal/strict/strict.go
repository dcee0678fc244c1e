// Package strict decodes YAML files and refuses unknown keys. Its errors are in plain words and name the line.
package strict

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Decode decodes a file. An empty file changes nothing. A file with a second document, after ---, is refused: nothing would read it.
func Decode(text []byte, into any) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return Plainly(err)
	}
	return End(dec)
}

// End returns an error if there is another document in a file.
func End(dec *yaml.Decoder) error {
	var more yaml.Node
	if err := dec.Decode(&more); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return Plainly(err)
	}
	return fmt.Errorf("line %d: a second document", more.Line)
}

// fault matches what the library says of one key: that it is unknown, or has a value of another kind.
var fault = regexp.MustCompile("field (\\S+) not found in type \\S+|cannot unmarshal !!(\\S+) (`[^`]*`)?.*into (\\S+)")

// Plainly returns an error in words without Go's types.
func Plainly(err error) error {
	text := fault.ReplaceAllStringFunc(strings.TrimPrefix(err.Error(), "yaml: "), func(said string) string {
		m := fault.FindStringSubmatch(said)
		if m[1] != "" {
			return "unknown key " + m[1]
		}
		return cmp.Or(strings.Trim(m[3], "`"), kind(m[2])) + ": want " + wanted(m[4])
	})
	text = strings.TrimPrefix(text, "unmarshal errors:\n  ")
	if strings.Contains(text, "runtime error") { // the library's, for a key that is a mapping or a list
		text = "a key has to be a word"
	}
	return errors.New(strings.ReplaceAll(text, "\n  ", "; "))
}

// kind returns the word for a kind of value in YAML.
func kind(tag string) string {
	switch tag {
	case "seq":
		return "a list"
	case "map":
		return "a mapping"
	}
	return "a value"
}

// wanted returns the word for values that a type of Go takes.
func wanted(of string) string {
	switch of = strings.TrimLeft(of, "*"); {
	case of == "time.Duration":
		return "a time such as 500ms, 90s or 24h"
	case of == "bool":
		return "true or false"
	case of == "string":
		return "text"
	case strings.HasPrefix(of, "int"), strings.HasPrefix(of, "uint"):
		return "a whole number"
	case strings.HasPrefix(of, "float"):
		return "a number"
	case strings.HasPrefix(of, "[]"):
		return "a list"
	}
	return "a mapping"
}
