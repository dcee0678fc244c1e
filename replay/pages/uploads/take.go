package uploads

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"time"

	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/replay/respond"
)

const (
	// A client that sends less than pieceSize in pieceWait has stalled. varve's servers have the same rule for readers.
	pieceSize = 64 << 10
	pieceWait = 30 * time.Second

	maxFiles = 100     // in one form
	maxField = 4 << 10 // bytes of a field of a form

	// After a refusal the rest of the body is read for a while: browsers show no answer that arrives while they send.
	restSize = 256 << 20
	restWait = 5 * time.Second
)

// take receives the files of a request: those of a form, or one that is the body.
func (h *Handler) take(w http.ResponseWriter, r *http.Request, p respond.Path) error {
	body := &pieces{Reader: r.Body, control: http.NewResponseController(w)}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	var v *upload.Delivery
	var err error
	if kind == "multipart/form-data" {
		v, err = h.takeForm(r, multipart.NewReader(body, params["boundary"]))
	} else {
		v, err = h.takeBody(r, p, body)
	}
	body.discard() // also after a refusal that the page of the delivery reports
	if err != nil {
		return failure(err)
	}
	to := h.site.Path() + path + "/" + v.ID
	w.Header().Set("Location", to)
	if respond.IsBrowser(r) {
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	return respond.SendStatusJSON(w, r, http.StatusAccepted, h.statusOf(r, v))
}

// takeBody receives a file that is the body of a request.
func (h *Handler) takeBody(r *http.Request, p respond.Path, body io.Reader) (*upload.Delivery, error) {
	if err := h.guard.Mine(r, ""); err != nil {
		return nil, err
	}
	v, err := h.delivery(p.Params.Get("collection"))
	if err != nil {
		return nil, err
	}
	return v, v.Receive(r.Context(), p.Params.Get("name"), r.ContentLength, body)
}

// takeForm receives the files of a form. Its fields precede them. Refused files are reported on the page of the delivery.
func (h *Handler) takeForm(r *http.Request, form *multipart.Reader) (*upload.Delivery, error) {
	fields := map[string]string{}
	var v *upload.Delivery
	for files := 0; ; {
		part, err := form.NextPart()
		switch {
		case errors.Is(err, io.EOF) && v == nil:
			return nil, respond.BadRequest("no file was chosen")
		case errors.Is(err, io.EOF):
			return v, nil
		case err != nil:
			return nil, respond.BadRequest("the form did not arrive whole")
		}
		if part.FileName() == "" {
			value, err := io.ReadAll(io.LimitReader(part, maxField))
			if err != nil || len(fields) > 10 {
				return nil, respond.BadRequest("the form can't be read")
			}
			fields[part.FormName()] = string(value)
			continue
		}
		if v == nil {
			if err := h.guard.Mine(r, fields["token"]); err != nil {
				return nil, err
			}
			if v, err = h.delivery(fields["collection"]); err != nil {
				return nil, err
			}
		}
		if files++; files > maxFiles {
			return nil, respond.BadRequest("too many files at once")
		}
		if err := v.Receive(r.Context(), part.FileName(), -1, part); err != nil {
			if respond.IsBrowser(r) && !errors.Is(err, upload.ErrBusy) {
				return v, nil
			}
			return nil, err
		}
	}
}

// delivery opens a delivery for a collection, for the default one if none is named.
func (h *Handler) delivery(coll string) (*upload.Delivery, error) {
	if coll == "" {
		coll = h.Default
	}
	if !slices.Contains(h.archive.Index.CollectionsWith(h.Default), coll) {
		return nil, respond.NotFound("there is no such collection here")
	}
	return h.Queue.Open(coll), nil
}

// failure returns the answer to an error during an upload.
func failure(err error) error {
	var said *respond.Failure
	var refused *upload.Refusal
	switch {
	case errors.As(err, &said):
		return err
	case errors.As(err, &refused):
		return &respond.Failure{Status: http.StatusUnprocessableEntity, Say: refused.Reason}
	case errors.Is(err, upload.ErrTooLarge):
		return &respond.Failure{Status: http.StatusRequestEntityTooLarge, Say: "the file is larger than this server takes"}
	case errors.Is(err, upload.ErrBusy):
		return &respond.Failure{
			Status: http.StatusServiceUnavailable, Say: err.Error(), Header: http.Header{"Retry-After": {"10"}},
		}
	case upload.IsFull(err):
		return &respond.Failure{Status: http.StatusInsufficientStorage, Say: "the server's disk is full"}
	}
	return &respond.Failure{Status: http.StatusBadRequest, Say: "the file did not arrive whole, or could not be written: send it again"}
}

// pieces is a body that has to arrive in pieces of a minimum size within a time limit.
type pieces struct {
	io.Reader
	control *http.ResponseController
	left    int // bytes until the next piece begins
}

func (b *pieces) Read(p []byte) (int, error) {
	if b.left <= 0 {
		_ = b.control.SetReadDeadline(time.Now().Add(pieceWait)) // fails on connections without deadlines
		b.left = pieceSize
	}
	n, err := b.Reader.Read(p)
	b.left -= n
	return n, err
}

// discard reads what is left, within bounds.
func (b *pieces) discard() {
	_ = b.control.SetReadDeadline(time.Now().Add(restWait))
	_, _ = io.Copy(io.Discard, io.LimitReader(b.Reader, restSize))
}
