package write

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/nlnwa/gowarc"

	"github.com/varve-archive/varve/archive/warc"
)

// An Exchange is a response with its request.
type Exchange struct {
	URI       string    // WARC-Target-URI: the address as it was requested
	Time      time.Time // when the request was sent, WARC-Date
	IP        string    // address of the server, WARC-IP-Address; "" if it isn't known
	Protocols []string  // WARC-Protocol, such as "http/1.1" and "tls/1.3"
	// Truncated says why the response is incomplete: "length", "time", "disconnect" or "unspecified" (ISO 28500 §5.13); "" if it is complete.
	Truncated string
	// Response is the server's message, from the status line to the end of the body, including transfer coding. It is read more than once from
	// its start, and must contain only one message.
	Response io.ReadSeeker
	// Request is the message that was sent, in the same form; nil for none.
	Request io.ReadSeeker
	// Metadata become a metadata record, if there are any.
	Metadata warc.Fields
	// Header are additional fields for the head of the response record, such as WARC-Source-URI.
	Header warc.Fields
	// Since is the capture in the request's condition (If-None-Match and the like). If the response is 304, it becomes a revisit of that (ISO
	// 28500 §6.7.3).
	Since *Original
}

// An Original is an earlier capture, to which revisits refer.
type Original struct {
	URI  string
	Time time.Time
}

// A Payload identifies what two captures must have in common for the second to be a revisit of the first.
type Payload struct {
	URI    string
	Status int
	Digest warc.Digest // SHA-1, of the body without its transfer coding
}

// Written describes an exchange that was written.
type Written struct {
	Path    string // of the file, under its name while it is written
	Payload Payload
	Revisit bool
	Bytes   int64 // in the file
}

// records returns the records of an exchange, the response first.
func (w *Writer) records(e Exchange) ([]record, Payload, error) {
	m, err := measure(e.Response)
	if err != nil {
		return nil, Payload{}, err
	}
	p := Payload{URI: e.URI, Status: m.head.Status, Digest: m.payload}
	answer := w.answer(e, m, p)
	all := []record{answer}
	beside := func(kind gowarc.RecordType, contentType string, block io.ReadSeeker, size int64, digest warc.Digest) {
		r := newRecord(kind, e.Time, contentType, block, size, digest)
		r.head = append(r.head, warc.Field{Name: gowarc.WarcTargetURI, Value: e.URI},
			warc.Field{Name: gowarc.WarcConcurrentTo, Value: answer.id})
		all = append(all, r)
	}
	if e.Request != nil {
		sent, err := measure(e.Request)
		if err != nil {
			return nil, p, err
		}
		beside(gowarc.Request, httpRequest, e.Request, sent.size, sent.block)
	}
	if len(e.Metadata) > 0 {
		block, size, digest := fieldsBlock(e.Metadata)
		beside(gowarc.Metadata, gowarc.ApplicationWarcFields, block, size, digest)
	}
	return all, p, nil
}

const (
	httpResponse = gowarc.ApplicationHttp + "; msgtype=response"
	httpRequest  = gowarc.ApplicationHttp + "; msgtype=request"
)

// answer returns the record of a response, which may be a revisit.
func (w *Writer) answer(e Exchange, m measured, p Payload) record {
	r := newRecord(gowarc.Response, e.Time, httpResponse, e.Response, m.size, m.block)
	add := func(name, value string) {
		if value != "" {
			r.head = append(r.head, warc.Field{Name: name, Value: value})
		}
	}
	profile, of, truncated := w.repeats(e, m, p)
	if of != nil {
		r.kind, r.size, r.digest = gowarc.Revisit, int64(m.head.Size), m.headDigest
	}
	add(gowarc.WarcTargetURI, e.URI)
	add(gowarc.WarcIPAddress, e.IP)
	for _, protocol := range e.Protocols {
		add("WARC-Protocol", protocol)
	}
	if profile != gowarc.ProfileServerNotModifiedV1_1 {
		add(gowarc.WarcPayloadDigest, labelled(p.Digest))
	}
	if of != nil {
		add(gowarc.WarcProfile, profile)
		add(gowarc.WarcRefersToTargetURI, of.URI)
		add(gowarc.WarcRefersToDate, stamp(of.Time))
	}
	add(gowarc.WarcTruncated, truncated)
	r.head = append(r.head, e.Header...)
	return r
}

// repeats returns the capture that a response repeats, nil if none is known, and the profile of the revisit (ISO 28500 §6.7). truncated is
// the reason why the record lacks a part of the message.
func (w *Writer) repeats(e Exchange, m measured, p Payload) (profile string, of *Original, truncated string) {
	switch {
	case m.head.Status == http.StatusNotModified && e.Since != nil:
		return gowarc.ProfileServerNotModifiedV1_1, e.Since, e.Truncated
	case w.cfg.Known == nil || e.Truncated != "" || m.bodySize == 0 || m.head.Size == 0:
		return "", nil, e.Truncated
	}
	if known, ok := w.cfg.Known(p); ok {
		return gowarc.ProfileIdenticalPayloadDigestV1_1, &known, "length" // §6.7.2 requires "length" if the payload is left out
	}
	return "", nil, ""
}

// check returns an error if the exchange can't be written correctly.
func (e *Exchange) check() error {
	switch {
	case e.Response == nil:
		return errors.New("it has no response")
	case e.URI == "":
		return errors.New("it has no URI")
	case e.Time.IsZero():
		return errors.New("it has no time")
	}
	return nil
}
