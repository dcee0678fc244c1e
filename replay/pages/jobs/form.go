package jobs

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/replay/pages/layout"
	"github.com/varve-archive/varve/replay/respond"
)

// fields returns the names of the forms' fields; most are keys of a crawl file.
func fields() []string {
	return []string{"seeds", "name", "scope", "max_pages", "max_depth", "walltime", "browser", "template", "file", "collection", "new"}
}

// asked returns a form as it was filled in.
func (h *Handler) asked(get func(string) string) *layout.Form {
	f := &layout.Form{Values: map[string]string{}}
	for _, name := range fields() {
		f.Values[name] = strings.ReplaceAll(get(name), "\r\n", "\n")
	}
	if f.Values["collection"] == "" {
		f.Values["collection"] = h.Default
	}
	return f
}

// maxForm is the size limit of a form in bytes: a character of a crawl file may take three bytes.
const maxForm = 4 * jobs.MaxFile

// leave stores a job, or answers with the form and its errors.
func (h *Handler) leave(w http.ResponseWriter, r *http.Request, shared layout.Page) error {
	if err := h.mayWrite(w, r); err != nil {
		return err
	}
	f := h.asked(r.PostForm.Get)
	if !slices.Contains(h.archive.Index.CollectionsWith(h.Default), f.Values["collection"]) {
		return respond.NotFound("there is no such collection here")
	}
	j, err := h.jobOf(f)
	if err == nil {
		j, err = h.Folder.Leave(j)
	}
	if errors.Is(err, jobs.ErrLong) {
		err = &Fault{Err: err}
	}
	if fault, ok := errors.AsType[*Fault](err); ok {
		return h.refuse(w, r, f, fault, shared)
	} else if err != nil {
		return failure(err)
	}
	h.crawls.Log.Info("a crawl was ordered", "job", j.ID, "crawl", j.Name)
	return h.left(w, r, j, http.StatusCreated)
}

// mayWrite reads the form of a request that changes something, and refuses requests without permission.
func (h *Handler) mayWrite(w http.ResponseWriter, r *http.Request) error {
	if h.crawls.ReadOnly {
		return &respond.Failure{Status: http.StatusForbidden, Say: "this server writes nothing, so no crawl can be ordered"}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return respond.BadRequest("the form can't be read")
	}
	return h.guard.Mine(r, r.PostForm.Get("token"))
}

// left answers that a request about a job succeeded.
func (h *Handler) left(w http.ResponseWriter, r *http.Request, j jobs.Job, status int) error {
	w.Header().Set("Location", h.site.Path()+path+"/"+j.ID)
	if respond.IsBrowser(r) {
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	return respond.SendStatusJSON(w, r, status, h.public(j))
}

// refuse answers with the fault, in the form for browsers.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, f *layout.Form, fault *Fault, shared layout.Page) error {
	f.Wrong, f.Say = "form", fault.Error()
	key, _, _ := strings.Cut(fault.Key, ".")
	switch {
	case f.Values["file"] != "":
		f.Wrong = "file"
		if fault.Key != "" {
			f.Say = fault.Key + ": " + f.Say
		}
		if fault.Line > 0 {
			f.Say = fmt.Sprintf("line %d: %s", fault.Line, f.Say)
		}
	case slices.Contains(fields(), key):
		f.Wrong = key
	case key != "":
		f.Say = key + ": " + f.Say
	}
	if !respond.IsBrowser(r) {
		said := f.Say
		if f.Wrong != "form" && f.Wrong != "file" {
			said = f.Wrong + ": " + said
		}
		return respond.BadRequest(said)
	}
	return h.all(w, r, http.StatusBadRequest, f, shared)
}

// jobOf returns the job that a form orders. The error is a [Fault].
func (h *Handler) jobOf(f *layout.Form) (j jobs.Job, err error) {
	j = jobs.Job{Collection: f.Values["collection"], New: f.Values["new"] != "", File: f.Values["file"]}
	if j.File == "" {
		if j.File, err = fileOf(f.Values); err != nil {
			return j, err
		}
	}
	j.Name, j.Seeds, err = h.Check(j.File)
	var fault *Fault
	if err != nil && !errors.As(err, &fault) {
		err = &Fault{Err: err}
	}
	if err == nil && h.isComplete(&j) {
		err = &Fault{Key: "name", Err: jobs.ErrComplete}
	}
	return j, err
}

// isComplete reports whether the job would continue a crawl that is complete, without a new seed. It returns false for a crawl that the
// reader must not see.
func (h *Handler) isComplete(j *jobs.Job) bool {
	run, err := h.crawls.Get(j.Name)
	isNew := func(seed string) bool { return !slices.Contains(run.Settings.Seeds, seed) }
	return err == nil && !j.New && run.Collection == j.Collection && run.Complete() && !slices.ContainsFunc(j.Seeds, isNew)
}

// fileOf writes the form's values as a crawl file.
func fileOf(values map[string]string) (string, error) {
	said := struct {
		Seeds    []string      `yaml:"seeds"`
		Name     string        `yaml:"name,omitempty"`
		Scope    string        `yaml:"scope,omitempty"`
		MaxPages *int64        `yaml:"max_pages,omitempty"`
		MaxDepth *int64        `yaml:"max_depth,omitempty"`
		Walltime time.Duration `yaml:"walltime,omitempty"`
		Browser  bool          `yaml:"browser,omitempty"`
		Template *yaml.Node    `yaml:"template,omitempty"`
	}{
		Seeds: strings.Fields(values["seeds"]), Name: strings.TrimSpace(values["name"]), Scope: values["scope"], Browser: values["browser"] != "",
	}
	for _, n := range []struct {
		key  string
		into **int64
	}{{"max_pages", &said.MaxPages}, {"max_depth", &said.MaxDepth}} {
		text := strings.TrimSpace(values[n.key])
		if text == "" {
			continue
		}
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", &Fault{Key: n.key, Err: fmt.Errorf("%.40q: want a number, 0 for no limit", text)}
		}
		*n.into = &number
	}
	if text := strings.TrimSpace(values["walltime"]); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			return "", &Fault{Key: "walltime", Err: fmt.Errorf("%.40q: want a time such as 10m or 2h", text)}
		}
		said.Walltime = d
	}
	var err error
	if said.Template, err = templateOf(values["template"]); err != nil {
		return "", &Fault{Key: "template", Err: err}
	}
	text, err := yaml.Marshal(said)
	return string(text), err
}

// templateOf parses a template, with or without its key around it; nil for an empty text.
func templateOf(text string) (*yaml.Node, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("want fields, and perhaps each, as in a crawl file")
	}
	m := doc.Content[0]
	if len(m.Content) == 2 && m.Content[0].Value == "template" {
		return m.Content[1], nil
	}
	return m, nil
}
