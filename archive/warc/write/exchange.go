package write

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/nlnwa/gowarc"

	"github.com/varve-archive/varve/archive/warc"
)

// An Exchange is an answer of a server, with the request that led to it.
type Exchange struct {
	URI       string    // WARC-Target-URI: what was asked for, as it was asked
	Time      time.Time // when the request was sent, WARC-Date
	IP        string    // address of the server, WARC-IP-Address; "" if it isn't known
	Protocols []string  // WARC-Protocol, such as "http/1.1" and "tls/1.3"
	// Truncated says why the answer is not whole: "length", "time", "disconnect" or "unspecified" (ISO 28500 §5.13); "" if it is.
	Truncated string
	// Response is the message of the server, from the status line to the end of the body, transfer coding included. It is
	// read from its start, more than once, and must have no more than one message.
	Response io.ReadSeeker
	// Request is the message that was sent, in the same form. Without it no request record is written.
	Request io.ReadSeeker
	// Metadata become a metadata record beside the answer, if there are any.
	Metadata warc.Fields
	// Header are further fields of the head of the answer's record, such as WARC-Source-URI.
	Header warc.Fields
	// Since is the capture that the request asked for changes of. If the answer is 304 it becomes a revisit of it
	// (ISO 28500 §6.7.3).
	Since *Original
}

// An Original is an earlier capture, to which revisits refer.
type Original struct {
	URI  string
	Time time.Time
}

// A Payload is what two captures must have in common for the second to be a revisit of the first.
type Payload struct {
	URI    string
	Status int
	Digest warc.Digest // SHA-1, of the body without its transfer coding
}

// Written says what became of an exchange.
type Written struct {
	Path    string // of the file, as it is called while it is written
	Payload Payload
	Revisit bool
	Bytes   int64 // in the file
}

// records returns the records of an exchange, the answer first.
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

// answer returns the record of a response: itself or what it repeats.
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

// repeats returns the capture that an answer repeats, nil if none is known, and the profile of the revisit that says so
// (ISO 28500 §6.7). truncated is why its record has not all that was sent.
func (w *Writer) repeats(e Exchange, m measured, p Payload) (profile string, of *Original, truncated string) {
	switch {
	case m.head.Status == http.StatusNotModified && e.Since != nil:
		return gowarc.ProfileServerNotModifiedV1_1, e.Since, e.Truncated
	case w.cfg.Known == nil || e.Truncated != "" || m.bodySize == 0 || m.head.Size == 0:
		return "", nil, e.Truncated
	}
	if known, ok := w.cfg.Known(p); ok {
		return gowarc.ProfileIdenticalPayloadDigestV1_1, &known, "length" // as §6.7.2 wants it where the payload is left out
	}
	return "", nil, ""
}

// check refuses what can't be written as it should be.
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
