package replay

import "github.com/varve-archive/varve/search"

// SearchOf returns the change-text search of a collection and where its texts come from, for tests that ask it more than HTTP can.
func (s *Server) SearchOf(coll string) (*search.Index, interface {
	search.Archive
	search.Texts
}, error,
) {
	of, err := s.searches.get(coll)
	if err != nil {
		return nil, nil, err
	}
	return of.Index, s.newSearchBuild(coll), nil
}
