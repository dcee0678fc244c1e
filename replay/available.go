package replay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/percent"
	"github.com/varve-archive/varve/memento"
	"github.com/varve-archive/varve/replay/respond"
)

// availability is the Wayback Machine's answer about the nearest capture, with its names.
type availability struct {
	URL       string    `json:"url"`
	Snapshots snapshots `json:"archived_snapshots"`
	Timestamp string    `json:"timestamp,omitempty"`
}

type snapshots struct {
	Closest *snapshot `json:"closest,omitempty"`
}

type snapshot struct {
	Status    string `json:"status"`
	Available bool   `json:"available"`
	URL       string `json:"url"`
	Timestamp string `json:"timestamp"`
}

// callbackName matches the names that JSONP may call.
var callbackName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$.]{0,99}$`)

// available answers as the Wayback availability API does, from all collections unless one is named. A URL that was
// never archived is not an error there.
func (s *Server) available(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	asked := p.Params.Get("timestamp")
	ts, err := respond.Datetime(respond.Path{From: asked})
	if err != nil {
		return err
	}
	callback := p.Params.Get("callback")
	if callback != "" && !callbackName.MatchString(callback) {
		return respond.BadRequest("callback must be the name of a function")
	}
	out := availability{URL: percent.UTF8(p.Params.Get("url")), Timestamp: asked}
	coll, c, err := s.nearest(r, p, memento.ParseURIR(out.URL), ts)
	if err != nil {
		return err
	}
	if c != nil {
		out.Snapshots.Closest = &snapshot{
			Status: strconv.Itoa(c.Status), Available: true,
			URL: s.site.Absolute(r, coll).Memento(c.Time, "", c.URL), Timestamp: c.Time.String(),
		}
	}
	body, err := json.Marshal(out) // escapes what would end a script
	if err != nil {
		return err
	}
	h := w.Header()
	respond.AllowOrigins(h)
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", "application/json")
	if callback != "" {
		h.Set("Content-Type", "application/javascript; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		body = slices.Concat([]byte("/**/"+callback+"("), body, []byte(");"))
	}
	if r.Method == http.MethodHead {
		return nil
	}
	_, err = w.Write(body) // without a line break: some clients read each line as JSON, even an empty last one
	return err
}

// nearest returns the capture nearest to ts in the requested collection, or in all of them, and its collection. best is
// nil if there is none.
func (s *Server) nearest(r *http.Request, p respond.Path, uriR string, ts cdx.Timestamp) (coll string, best *cdx.Capture, err error) {
	if uriR == "" {
		return "", nil, nil
	}
	colls := s.archive.Index.Collections()
	if only := p.Params.Get("collection"); only != "" {
		if !s.archive.Index.Has(only) {
			return "", nil, respond.NotFound(fmt.Sprintf("there is no collection %q here", only))
		}
		colls = []string{only}
	}
	for _, name := range colls {
		tl, err := s.archive.Timelines.Spelled(r.Context(), name, uriR)
		if err != nil {
			return "", nil, err
		}
		c, err := s.archive.Timelines.Nearest(r.Context(), tl, ts)
		if err != nil {
			return "", nil, err
		}
		if c != nil && (best == nil || memento.Nearer(ts, c.Time, best.Time)) {
			coll, best = name, c
		}
	}
	return coll, best, nil
}

// defaultCollection is the collection into which files are indexed unless another is named.
const defaultCollection = "web"

// cdx answers the CDX API at the Wayback Machine's path, which has no collection: it takes the one in the parameters,
// else the only one, else the usual one.
func (s *Server) cdx(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	p.Coll = p.Params.Get("collection")
	if all := s.archive.Index.Collections(); p.Coll == "" && len(all) == 1 {
		p.Coll = all[0]
	} else if p.Coll == "" {
		p.Coll = defaultCollection
	}
	if !s.archive.Index.Has(p.Coll) {
		return respond.NotFound(fmt.Sprintf("there is no collection %q here; collection= names one of /collinfo.json", p.Coll))
	}
	return s.answers.CDX(w, r, p)
}

// collectionInfo is an entry of pywb's list of collections, with pywb's names; cdx-api is Common Crawl's.
type collectionInfo struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	TimeGate string `json:"timegate"`
	TimeMap  string `json:"timemap"`
	CDX      string `json:"cdx-api"`
}

// collections lists the collections as pywb does.
func (s *Server) collections(w http.ResponseWriter, r *http.Request) error {
	out := []collectionInfo{}
	for _, coll := range s.archive.Index.Collections() {
		u := s.site.Absolute(r, coll)
		out = append(out, collectionInfo{
			ID: coll, Name: s.site.Title(coll), TimeGate: u.Home(), TimeMap: u.Home() + "timemap/link/",
			CDX: u.Endpoint("cdx", ""),
		})
	}
	w.Header().Set("Cache-Control", "no-cache")
	return respond.WriteJSON(w, r, out)
}
