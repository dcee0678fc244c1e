package respond

import (
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The description of the API, from which tests take an example of everything that is answered, has each kind of path.
func TestEveryKindOfPathIsDescribed(t *testing.T) {
	b, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Paths map[string]any }
	if err := yaml.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("{coll}", "web", "{uri}", "http://a.example/", "{ts}", "2014", "{mod}", "id_", "{format}", "link",
		"{page}", "2",
		"{from}", "2014", "{to}", "2015", "{file}", "page.css")
	found := map[Kind]bool{}
	for path := range d.Paths {
		found[ParsePath(fill.Replace(path)).Kind] = true
	}
	for k := NoPath + 1; k < kinds; k++ {
		if !found[k] && k != PrefixList { // a calendar whose URI-R ends in *
			t.Errorf("kind %d of paths is not described", k)
		}
	}
}
