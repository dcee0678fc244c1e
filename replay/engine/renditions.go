package engine

import (
	"context"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/replay/respond"
)

// sendChanged sends a list of renditions or an answer that repeats what was asked to a script, which gets it as the archived server
// would have sent it, with its URIs.
func (m *answer) sendChanged(body []byte) error {
	m.head(true)
	if m.lost != nil {
		return m.lost
	}
	m.validRewritten()
	m.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	m.w.WriteHeader(m.a.Status)
	if m.r.Method == http.MethodHead {
		return nil
	}
	if _, err := m.w.Write(body); err != nil {
		m.logBroken(err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// around are the captures that the URIs of the body lead to.
func (m *answer) around() *respond.Around {
	return &respond.Around{Archive: m.s.Archive, Coll: m.p.Coll, Time: m.target(), Log: m.s.Log, Ctx: context.WithoutCancel(m.r.Context())}
}
