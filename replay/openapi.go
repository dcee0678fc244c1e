package replay

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/replay/respond"
)

// openAPI describes the paths of this package in OpenAPI 3.1. The tests ask a server for each path in it.
//
//go:embed openapi.yaml
var openAPI []byte

// apiAsJSON returns that description as JSON, which is how it is served.
func apiAsJSON() ([]byte, error) {
	var description map[string]any
	if err := yaml.Unmarshal(openAPI, &description); err != nil {
		return nil, err
	}
	return json.Marshal(description)
}

func (s *Server) describeAPI(w http.ResponseWriter, r *http.Request) error {
	description, err := s.api()
	if err != nil {
		return err
	}
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(description)))
	if r.Method == http.MethodHead {
		return nil
	}
	_, err = w.Write(description)
	return err
}
