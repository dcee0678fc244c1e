package replay

import (
	_ "embed"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/replay/respond"
)

// openAPI describes the paths of this package in OpenAPI 3.1. The tests ask a server for each path in it.
//
//go:embed openapi.json
var openAPI string

func describeAPI(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(openAPI)))
	if r.Method == http.MethodHead {
		return nil
	}
	_, err := w.Write([]byte(openAPI))
	return err
}
