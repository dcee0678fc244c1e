package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A schema holds what the description uses of JSON Schema 2020-12.
type schema struct {
	Ref        string `json:"$ref"`
	Type       any    // one name or several
	Properties map[string]*schema
	Required   []string
	Items      *schema
	AnyOf      []*schema
	Enum       []string
	Pattern    string
	Minimum    *float64
	Maximum    *float64
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Required bool
	Example  any
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]struct{ Schema *schema }
	Headers     map[string]any
}

type operation struct {
	OperationID string
	Parameters  []parameter
	Responses   map[string]response
}

type description struct {
	OpenAPI    string
	Paths      map[string]map[string]operation
	Components struct {
		Schemas    map[string]*schema
		Parameters map[string]parameter
		Responses  map[string]response
	}
}

func described(t *testing.T, s *server) *description {
	t.Helper()
	a := s.get(t, "/-/api/openapi.json").expect(t, 200, "Content-Type: application/json", "Access-Control-Allow-Origin: *")
	var d description
	if err := json.Unmarshal([]byte(a.body), &d); err != nil {
		t.Fatal(err)
	}
	if d.OpenAPI != "3.1.0" {
		t.Errorf("version %s", d.OpenAPI)
	}
	return &d
}

// Every path must be described, and must answer as described when requested with the examples.
func TestDescribedPathsAnswerAsDescribed(t *testing.T) {
	s := demo(t)
	d := described(t, s)
	if len(d.Paths) < 24 {
		t.Errorf("only %d paths are described", len(d.Paths))
	}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		op := d.Paths[path]["get"]
		for _, accept := range []string{"*/*", "text/html"} {
			t.Run(op.OperationID+" "+accept, func(t *testing.T) {
				target, fields := d.example(t, path, op)
				d.assertDescribed(t, op, target, s.get(t, target, append(fields, "Accept: "+accept)...))
			})
		}
	}
}

// Failures are described too: no capture, an unknown collection, nonsense.
func TestDescribedFailures(t *testing.T) {
	s := demo(t)
	d := described(t, s)
	for path, op := range d.Paths {
		target, fields := d.example(t, path, op["get"])
		if strings.HasPrefix(path, "/-/") || path == "/" {
			continue
		}
		for _, other := range []string{
			strings.ReplaceAll(target, "riverbend", "nowhere"), strings.Replace(target, "/web/", "/attic/", 1),
			strings.Replace(target, "2017", "2099", 1), strings.Replace(target, "/http", "/", 1),
			strings.Replace(target, "20160901092136", "20169999999999", 1),
		} {
			if other != target {
				d.assertDescribed(t, op["get"], other, s.get(t, other, fields...))
			}
		}
	}
}

// example builds a request from the examples of an operation's parameters.
func (d *description) example(t *testing.T, path string, op operation) (target string, fields []string) {
	t.Helper()
	query := url.Values{}
	for _, p := range op.Parameters {
		if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
			p = d.Components.Parameters[name]
		}
		value := fmt.Sprint(p.Example)
		switch {
		case p.Example == nil && (p.Required || p.In == "path"):
			t.Errorf("%s: %s has no example", path, p.Name)
		case p.Example == nil:
		case p.In == "path":
			if !strings.Contains(path, "{"+p.Name+"}") {
				t.Errorf("%s has no %s", path, p.Name)
			}
			path = strings.Replace(path, "{"+p.Name+"}", value, 1)
		case p.In == "query":
			query.Set(p.Name, value)
		case p.In == "header":
			fields = append(fields, p.Name+": "+value)
		}
	}
	if strings.Contains(path, "{") {
		t.Errorf("%s: a parameter is not described", path)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, fields
}

func (d *description) assertDescribed(t *testing.T, op operation, target string, a *answer) {
	t.Helper()
	r, ok := op.Responses[fmt.Sprint(a.status)]
	if !ok {
		t.Errorf("%s: status %d is not described: %.200s", target, a.status, a.body)
		return
	}
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		r = d.Components.Responses[name]
	}
	for name := range r.Headers {
		if a.header.Get(name) == "" {
			t.Errorf("%s: %d without %s", target, a.status, name)
		}
	}
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	content, ok := r.Content[kind]
	if _, any := r.Content["*/*"]; !ok && !any && len(r.Content) > 0 {
		t.Errorf("%s: %d as %s is not described", target, a.status, kind)
	}
	if content.Schema == nil || kind != "application/json" {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Errorf("%s: %v", target, err)
		return
	}
	d.check(t, target, content.Schema, v)
}

// check reports where a JSON value deviates from a schema. Its keys must be exactly the described ones.
func (d *description) check(t *testing.T, at string, s *schema, v any) {
	t.Helper()
	if s == nil {
		t.Fatalf("%s is not described", at)
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		if s = d.Components.Schemas[name]; s == nil {
			t.Fatalf("%s: no schema %s", at, name)
		}
	}
	if len(s.AnyOf) > 0 {
		if v != nil {
			d.check(t, at, s.AnyOf[0], v)
		}
		return
	}
	if !s.allows(v) {
		t.Errorf("%s: %v is no %v", at, v, s.Type)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				t.Errorf("%s: %s is missing", at, name)
			}
		}
		for name, value := range v {
			if p := s.Properties[name]; p != nil {
				d.check(t, at+"."+name, p, value)
			} else if s.Properties != nil {
				t.Errorf("%s: %s is not described", at, name)
			}
		}
	case []any:
		for i, item := range v {
			d.check(t, fmt.Sprintf("%s[%d]", at, i), s.Items, item)
		}
	case string:
		if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) || s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(v) {
			t.Errorf("%s: %q is not among what is described", at, v)
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			t.Errorf("%s: %v is beyond what is described", at, v)
		}
	}
}

// allows reports whether v is of one of the types.
func (s *schema) allows(v any) bool {
	types, several := s.Type.([]any)
	if !several {
		types = []any{s.Type}
	}
	for _, name := range types {
		switch v := v.(type) {
		case nil:
			if name == "null" {
				return true
			}
		case bool:
			if name == "boolean" {
				return true
			}
		case float64:
			if name == "number" || name == "integer" && v == float64(int64(v)) {
				return true
			}
		case string:
			if name == "string" {
				return true
			}
		case []any:
			if name == "array" {
				return true
			}
		case map[string]any:
			if name == "object" {
				return true
			}
		}
	}
	return false
}
