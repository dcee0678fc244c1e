package ingest

import (
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sleep"
)

// warcFolders are the usual places of the WARC files of an index, relative to its folder: pywb and WACZ keep the two in neighbouring
// folders.
func warcFolders() []string {
	return []string{".", "..", "../archive", "../warcs", "../warc", "archive", "warcs", "warc"}
}

// isIndex reports whether a found file is an index (CDX, CDXJ, ZipNum) rather than a file of records.
func (r *run) isIndex(ctx context.Context, path string) bool {
	if hasSuffix(path) {
		return false
	}
	f, err := warc.Open(ctx, r.Storage, path)
	if err != nil {
		return false
	}
	defer f.Close()
	format, err := warc.Detect(f, path)
	return err == nil && format >= warc.CDX
}

// An importer imports the lines of an index file. Its captures are visible when the import is complete. The WARC files are scanned
// afterwards, for what only records tell: texts, redirects, the originals of revisits.
type importer struct {
	*run
	ctx     context.Context // an importer lives for a single call
	job     *job
	from    *summing
	writer  *index.Writer
	known   *catalogue
	counted int64                  // bytes of the index file already counted in the progress
	files   map[string]*index.File // by name as in the lines; nil if the file was indexed from its records
	earlier map[string]bool        // those of files that an earlier import named
}

// importIndex imports an index file. It adds the files that its lines name to the file table, whether or not they exist.
func (r *run) importIndex(ctx context.Context, j *job, file *summing) error {
	r.importing.Lock()
	defer r.importing.Unlock()
	alone, err := r.claimImport(ctx)
	if err != nil {
		return err
	}
	defer alone.Release()
	i := &importer{
		run: r, ctx: ctx, job: j, from: file, writer: r.Index.Writer(ctx, j.file.Collection), known: r.catalogue(),
		files: map[string]*index.File{}, earlier: map[string]bool{},
	}
	j.file.Records, j.file.Damaged = 0, 0 // one that has grown is read from its beginning
	defer i.writer.Cancel()
	for c, err := range i.lines() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j.file.Records++
		if err == nil {
			err = i.line(&c)
		}
		var broken *indexError
		switch {
		case errors.As(err, &broken):
			return err
		case err != nil:
			j.file.Damaged++
			r.report(Problem{File: j.file.Path, Offset: -1, Reason: err.Error()})
		}
	}
	if err := i.writer.Flush(); err != nil {
		return &indexError{err}
	}
	j.file.Sum, _ = file.sum(ctx, file.Size()) // "" if the file is shorter than it says
	return i.finish()
}

// claimImport waits until no other process imports an index file or indexes a file of records into the collection, and prevents others from
// beginning. Without Await it returns [index.ErrClaimed] instead of waiting.
func (r *run) claimImport(ctx context.Context) (*index.Claim, error) {
	claim, err := r.Index.ClaimImport(ctx, r.Collection)
	for r.Await && errors.Is(err, index.ErrClaimed) {
		if err := sleep.For(ctx, awaitOthers); err != nil {
			return nil, err
		}
		claim, err = r.Index.ClaimImport(ctx, r.Collection)
	}
	if err != nil {
		return nil, err
	}
	for {
		alone, err := claim.Alone(ctx, r.Collection)
		switch {
		case err == nil && alone:
			return claim, nil
		case err == nil && r.Await:
			err = sleep.For(ctx, awaitOthers)
		case err == nil:
			err = index.ErrClaimed
		}
		if err != nil {
			claim.Release()
			return nil, err
		}
	}
}

// lines yields the captures of the index file and counts the bytes read. The lines of a ZipNum cluster are in other files, so its index is
// counted at the end, as a whole.
func (i *importer) lines() iter.Seq2[cdx.Capture, error] {
	path := i.job.file.Path
	if strings.HasSuffix(path, ".idx") {
		return cdx.ReadIndexFile(warc.Base(path), func(name string) (cdx.IndexFile, error) {
			return i.Storage.Open(i.ctx, i.Storage.Beside(path, name))
		})
	}
	return func(yield func(cdx.Capture, error) bool) {
		in := &counter{io.NewSectionReader(i.from, 0, i.from.Size()), func(n int) { i.progress.Bytes.Add(int64(n)); i.counted += int64(n) }}
		cdx.ReadIndex(in, warc.Base(path))(yield)
	}
}

// A counter counts the bytes that are read through it.
type counter struct {
	io.Reader
	count func(int)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.count(n)
	return n, err
}

// line adds a capture, unless its file was indexed from its records, which tell more.
func (i *importer) line(c *cdx.Capture) error {
	if c.FileName == "" {
		return errors.New("the line names no WARC file")
	}
	name := c.FileName
	f, err := i.file(name)
	if err != nil || f == nil {
		return err
	}
	c.File, c.FileName = f.ID, f.Name
	has := false
	if i.earlier[name] {
		if has, err = i.has(c); err != nil {
			return err
		}
	}
	if err := i.writer.Add(c); err != nil {
		if errors.Is(err, index.ErrLongKey) {
			return err
		}
		return &indexError{err}
	}
	if !has {
		f.Captures++
	}
	i.progress.Captures.Add(1)
	return nil
}

// has reports whether an earlier import had a capture.
func (i *importer) has(c *cdx.Capture) (bool, error) {
	span := cdx.Span{Coll: i.job.file.Collection, From: c.Key, Exact: true, Since: c.Time, Until: c.Time}
	for had, err := range i.Index.Captures(i.ctx, span) {
		if err != nil {
			return false, &indexError{err}
		}
		if had.File == c.File && had.Offset == c.Offset {
			return true, nil
		}
	}
	return false, nil
}

// file returns the file table's entry for a WARC file that the index names.
func (i *importer) file(name string) (*index.File, error) {
	if f, ok := i.files[name]; ok {
		return f, nil
	}
	if known := i.known.byName[name]; len(known) > 0 {
		if known[0].Done && !known[0].Imported {
			i.files[name] = nil
			return nil, nil
		}
		i.files[name], i.earlier[name] = &known[0], true
		return &known[0], nil
	}
	f := &index.File{Collection: i.job.file.Collection, Name: name, Path: i.locate(name), Imported: true}
	if err := i.put(i.ctx, f); err != nil {
		return nil, err
	}
	i.files[name] = f
	return f, nil
}

// locate returns the path of a WARC file: where Where says it is, or in the usual folders; "" if it isn't found.
func (i *importer) locate(name string) string {
	if i.Where != nil {
		if p := i.Where(name); p != "" && i.isFile(i.ctx, p) {
			return p
		}
	}
	for _, folder := range warcFolders() {
		if p := i.Storage.Beside(i.job.file.Path, path.Join(folder, name)); i.isFile(i.ctx, p) {
			return p
		}
	}
	return ""
}

// finish makes the imported captures visible and marks the index file as done, so that it is not imported again.
func (i *importer) finish() error {
	for _, f := range i.files {
		if f == nil {
			continue
		}
		f.Done, f.Imported, f.Indexed = true, true, now()
		if err := i.put(i.ctx, f); err != nil {
			return err
		}
		if f.Path != "" {
			i.addImported(f.Path)
		} else {
			i.Log.Warn("file of an imported index not found; its captures are listed, but can't be replayed until it is indexed too", "file", f.Name)
		}
	}
	i.job.file.Done, i.job.file.Scanned, i.job.file.Indexed = true, i.job.size, now()
	if err := i.run.finish(i.ctx, i.job.file, i.job.claim); err != nil {
		return err
	}
	i.progress.Bytes.Add(i.job.size - i.counted)
	return nil
}
