package engine

import (
	"context"
	"net/http"
	"strconv"

	"github.com/varve-archive/varve/replay/respond"
)

// sendChanged sends a trimmed list of renditions, or an adapted JSONP or echoing answer, to a script. The script gets the original URIs,
// as the archived server sent them.
func (m *answer) sendChanged(body []byte) error {
	m.head(true)
	if m.lost != nil {
		return m.lost
	}
	m.validRewritten()
	if done, err := respond.Conditions(m.w, m.r, m.a.Status); done || err != nil {
		return err
	}
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

// around returns the captures that the URIs of the body lead to.
func (m *answer) around() *respond.CapturesNear {
	ctx := context.WithoutCancel(m.r.Context())
	return &respond.CapturesNear{Archive: m.s.Archive, Coll: m.p.Coll, Time: m.target(), Log: m.s.Log, Ctx: ctx}
}
