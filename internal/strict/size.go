package strict

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"go.yaml.in/yaml/v3"
)

// A Size is a number of bytes, such as 10GB or 512MiB.
type Size int64

func (s *Size) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n > 1<<60 {
		return fmt.Errorf("%.40q: want a number of bytes such as 10GB", text)
	}
	*s = Size(n)
	return nil
}

// UnmarshalYAML implements [yaml.Unmarshaler], so that the error for an invalid size names its line.
func (s *Size) UnmarshalYAML(n *yaml.Node) error {
	if err := s.UnmarshalText([]byte(n.Value)); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	return nil
}

// Line returns the line of a key in a file, or of its closest parent that exists; 0 if there is none. A path has names, and numbers of list
// items.
func Line(text []byte, path ...any) (line int) {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return 0
	}
	at := doc.Content[0]
	for _, step := range path {
		next := at
		switch step := step.(type) {
		case int:
			if at.Kind == yaml.SequenceNode && step < len(at.Content) {
				next = at.Content[step]
				line = next.Line
			}
		case string:
			for i := 0; at.Kind == yaml.MappingNode && i+1 < len(at.Content); i += 2 {
				if at.Content[i].Value == step {
					line, next = at.Content[i].Line, at.Content[i+1]
				}
			}
		}
		if next == at {
			return line
		}
		at = next
	}
	return line
}
