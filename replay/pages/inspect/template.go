package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/internal/strict"
)

// An entry is an element of a pasted template: a field, or a rule of a collection's configuration with its fields.
type entry struct {
	fields.Field `yaml:",inline"`
	URLs         []string `yaml:"urls"`
}

const (
	maxTemplate = 16 << 10 // bytes of a template
	maxFields   = 30
)

// parseTemplate parses a template as in a crawl file or in the configuration of a collection, with or without the keys around it. Of
// several rules, the first one for the page with a SURT counts.
func parseTemplate(text, key string) (out fields.Rule, err error) {
	if len(text) > maxTemplate {
		return out, fmt.Errorf("a template may have at most %d bytes", maxTemplate)
	}
	var list []entry
	var whole struct {
		Each     string  `yaml:"each"`
		Fields   []entry `yaml:"fields"`
		Template struct {
			Each   string  `yaml:"each"`
			Fields []entry `yaml:"fields"`
		} `yaml:"template"`
	}
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "-") || strings.HasPrefix(trimmed, "[") {
		err = strict.Decode([]byte(text), &list)
	} else if err = strict.Decode([]byte(text), &whole); err == nil {
		list = append(whole.Fields, whole.Template.Fields...)
	}
	if err != nil {
		return out, err
	}
	out, err = flat(list, key)
	out.Each = cmp.Or(out.Each, whole.Each, whole.Template.Each)
	if len(out.Fields) > maxFields {
		return fields.Rule{}, fmt.Errorf("a template may have at most %d fields here", maxFields)
	}
	return out, err
}

// flat returns the fields of a list, and those of the rule in it that applies to a page.
func flat(list []entry, key string) (out fields.Rule, err error) {
	ruled, anyRule := false, false
	for i := range list {
		e := &list[i]
		if e.Name != "" || e.Fields == nil && e.URLs == nil { // a list within a document has fields and a name
			out.Fields = append(out.Fields, e.Field)
			continue
		}
		anyRule = true
		set, err := fields.NewSet([]fields.Rule{{URLs: e.URLs, Each: e.Each, Fields: e.Fields}})
		if err != nil {
			return out, err
		}
		if t, _ := set.For(key); t != nil && !ruled {
			ruled, out.Each, out.Fields = true, e.Each, append(out.Fields, e.Fields...)
		}
	}
	if anyRule && !ruled {
		return out, errors.New("no rule of the template is for this address")
	}
	return out, nil
}

// formatTemplate writes fields in the format of [parseTemplate], one per line and indented.
func formatTemplate(list []fields.Field, indent string) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(indent + "- " + formatField(&list[i]) + "\n")
	}
	return b.String()
}

func formatField(f *fields.Field) string {
	b, err := yaml.Marshal(nodeOf(f))
	if err != nil { // can't fail
		return ""
	}
	return strings.TrimSpace(string(b))
}

// nodeOf returns a field as a one-line mapping.
func nodeOf(f *fields.Field) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	add := func(key string, value *yaml.Node) {
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	}
	scalar := func(s string) *yaml.Node {
		n := &yaml.Node{}
		n.SetString(s)
		if n.Style == yaml.LiteralStyle { // of several lines, which a one-line mapping can't contain
			n.Style = yaml.DoubleQuotedStyle
		}
		return n
	}
	for _, said := range [...]struct{ key, value string }{
		{"name", f.Name}, {"css", f.CSS}, {"xpath", f.XPath}, {"type", string(f.Type)}, {"attribute", f.Attribute}, {"each", f.Each},
	} {
		if said.value != "" && (said.key != "type" || f.Type != fields.Text) {
			add(said.key, scalar(said.value))
		}
	}
	if len(f.Clean) > 0 {
		list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, c := range f.Clean {
			list.Content = append(list.Content, scalar(c))
		}
		add("clean", list)
	}
	if f.All {
		add("all", &yaml.Node{Kind: yaml.ScalarNode, Value: "true"})
	}
	if len(f.Fields) > 0 {
		list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for j := range f.Fields {
			list.Content = append(list.Content, nodeOf(&f.Fields[j]))
		}
		add("fields", list)
	}
	return m
}
