package export

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"path"
	"strings"
	"time"

	"github.com/varve-archive/varve/cdx"
)

// Paths in a WACZ (Web Archive Collection Zipped, version 1.1.1).
const (
	waczVersion = "1.1.1"
	waczRecords = "archive/data.warc.gz"
	waczIndex   = "indexes/index.cdxj"
	waczPages   = "pages/pages.jsonl"
	waczPackage = "datapackage.json"
	waczDigest  = "datapackage-digest.json"
)

// A resource is a file of the package (WACZ 1.1.1 §5.4).
type resource struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Hash  string `json:"hash"`
	Bytes int64  `json:"bytes"`
}

// A dataPackage is the description of a WACZ.
type dataPackage struct {
	Profile     string     `json:"profile"`
	WACZVersion string     `json:"wacz_version"`
	Software    string     `json:"software"`
	Created     string     `json:"created"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	MainPageURL string     `json:"mainPageUrl,omitempty"`
	MainPageTS  string     `json:"mainPageDate,omitempty"`
	Resources   []resource `json:"resources"`
}

// WACZ writes the selected records as a WACZ, with their index and a list of pages. Data for later files of the package is kept in
// temporary files.
func (j *Job) WACZ(ctx context.Context, w io.Writer) (err error) {
	a := &waczJob{Job: j, zip: zip.NewWriter(w)}
	if a.index, err = newSorted(); err != nil {
		return err
	}
	defer a.index.close()
	if a.pages, err = newPages(j); err != nil {
		return err
	}
	defer a.pages.close()
	for _, part := range []struct {
		path   string
		method uint16
		write  func(context.Context, io.Writer) error
	}{
		{waczRecords, zip.Store, a.records},
		{waczIndex, zip.Deflate, a.index.writeTo},
		{waczPages, zip.Deflate, a.pages.writeTo},
	} {
		if err := a.part(ctx, part.path, part.method, part.write); err != nil {
			return err
		}
	}
	if err := a.describe(ctx); err != nil {
		return err
	}
	return a.zip.Close()
}

// A waczJob is a WACZ in progress.
type waczJob struct {
	*Job
	zip       *zip.Writer
	index     *sorted
	pages     *pages
	resources []resource
}

// part writes a file of the package.
func (a *waczJob) part(ctx context.Context, name string, method uint16, write func(context.Context, io.Writer) error) error {
	out, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: a.Now.UTC()})
	if err != nil {
		return err
	}
	sum := &summed{w: out, hash: sha256.New()}
	if err := write(ctx, sum); err != nil {
		return err
	}
	a.resources = append(a.resources, resource{path.Base(name), name, "sha256:" + hex.EncodeToString(sum.hash.Sum(nil)), sum.n})
	return nil
}

// A summed is a writer that counts and hashes.
type summed struct {
	w    io.Writer
	hash hash.Hash
	n    int64
}

func (s *summed) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.n += int64(n)
	s.hash.Write(p[:n])
	return n, err
}

// records writes the records, and collects the data for the other files of the package.
func (a *waczJob) records(ctx context.Context, w io.Writer) error {
	name := path.Base(waczRecords)
	var line []byte
	return a.Job.records(ctx, newRecordWriter(w, true), func(c *cdx.Capture) error {
		c.FileName = name
		line = append(cdx.AppendCDXJ(line[:0], c, -1, ""), '\n')
		if err := a.index.add(line); err != nil {
			return err
		}
		return a.pages.add(ctx, c)
	})
}

// describe writes the description of the package.
func (a *waczJob) describe(ctx context.Context) error {
	d := dataPackage{
		Profile: "data-package", WACZVersion: waczVersion, Software: a.Software, Created: a.Now.UTC().Format(time.RFC3339),
		Title: a.Coll, Description: "export of " + a.Selection.String(), Resources: a.resources,
		MainPageURL: a.pages.first.URL, MainPageTS: a.pages.first.TS,
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	if err := a.text(ctx, waczPackage, string(text)); err != nil {
		return err
	}
	made := a.resources[len(a.resources)-1]
	if text, err = json.Marshal(map[string]string{"path": made.Path, "hash": made.Hash}); err != nil {
		return err
	}
	return a.text(ctx, waczDigest, string(text))
}

func (a *waczJob) text(ctx context.Context, name, text string) error {
	return a.part(ctx, name, zip.Deflate, func(_ context.Context, w io.Writer) error {
		_, err := io.Copy(w, strings.NewReader(text))
		return err
	})
}
