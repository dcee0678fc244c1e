package replay

import (
	"net/http"

	"github.com/varve-archive/varve/memento"
)

// missing is the failure of a URI-R without usable captures. Browsers get the missing page as its body.
func (s *Site) missing(r *http.Request, p Path) error {
	return &failure{
		status: http.StatusNotFound,
		say:    "the collection " + p.Coll + " has no capture of " + p.URIR,
		absent: true,
		header: http.Header{
			"Link":                        {memento.FormatLinks(s.absolute(r, p.Coll).TimeGateLinks(&memento.Neighbourhood{Original: p.URIR}))},
			"Access-Control-Allow-Origin": {"*"}, "Access-Control-Expose-Headers": {exposed},
		},
	}
}
