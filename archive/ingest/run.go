package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/content/visible"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/sleep"
)

// A Config says what to index and how. Index and Collection are required.
type Config struct {
	Index      *index.Index
	Collection string
	Storage    warc.Storage    // where the files are; nil means warc.Local
	Metadata   bool            // index metadata records too
	Workers    int             // files read at once; 0 means one per core
	Report     func(Problem)   // called once for each bad file and record, from several goroutines; may be nil
	Started    func(*Progress) // called before the first file is read; may be nil
	// PDF returns the text of a PDF file. Without it, any change of a PDF's bytes counts as a change. Archived PDFs may be hostile: PDF must
	// return in any case.
	PDF func(ctx context.Context, body []byte) (text string, err error)
	// Unpack returns the path of a file with the same records as the stored file at path whose records can be read at offsets: path itself if
	// it is compressed record by record. Without Unpack other files are refused.
	Unpack func(ctx context.Context, path string) (string, error)
	// Where returns the path of a file that an index file names by its base name, "" if unknown. If it is nil or returns "", the file is
	// searched near the index file.
	Where func(name string) string
	// LinesOnly imports index files only. Their captures can be replayed; another run can read the records, which tell more.
	LinesOnly bool
	// Claims are files that a run skips; may be nil.
	Claims *Claims
	// Await waits for files that other processes are indexing into the same store, and indexes those that they abandon. Without it, a run
	// skips them.
	Await bool
	// Texts is called with each page whose text was extracted, decoded, and its text, from several goroutines. All arguments are valid until
	// it returns; the capture's position is set. It may be nil.
	Texts func(c *cdx.Capture, t *visible.Text, page []byte, contentType string)
	Log   *slog.Logger // nil discards
}

// A Problem is a file or record that could not be indexed, or a suspicious one.
type Problem struct {
	File    string // path
	Offset  int64  // bytes from the start of the file; -1 means the whole file
	Reason  string
	Warning bool // the capture is indexed all the same
}

// String returns the problem in one line.
func (p Problem) String() string {
	word := ""
	if p.Warning {
		word = "warning: "
	}
	if p.Offset < 0 {
		return fmt.Sprintf("%s%s: %s", word, p.File, p.Reason)
	}
	return fmt.Sprintf("%s%s: offset %d: %s", word, p.File, p.Offset, p.Reason)
}

// Progress counts what a run has done. It may be read at any time.
type Progress struct {
	Files, TotalFiles    atomic.Int64
	Bytes, TotalBytes    atomic.Int64 // of the files as stored, usually compressed
	Captures             atomic.Int64
	Problems, Unresolved atomic.Int64 // Unresolved: revisits without an original, set at the end
}

// Run indexes new files and records under paths (files, folders, globs) and returns its counts. What can't be indexed is reported and
// skipped; Problems counts that, without warnings. Cancelling ctx loses nothing: an unfinished file shows none of its captures, and the
// next run reads it again.
func Run(ctx context.Context, cfg Config, paths []string) (*Progress, error) {
	r := newRun(cfg)
	return r.progress, r.runPatiently(ctx, paths)
}

const (
	indexPatience = 2 * time.Minute // for an index that can't be reached: a database restarts within seconds
	betweenTries  = time.Second
)

// runPatiently repeats the run when the index could not be reached, as long as there is some progress in between.
func (r *run) runPatiently(ctx context.Context, paths []string) error {
	since, files := time.Now(), int64(-1)
	for {
		err := r.runRounds(ctx, paths)
		if !errors.Is(err, index.ErrUnavailable) {
			return err
		}
		if n := r.progress.Files.Load(); n > files {
			since, files = time.Now(), n
		} else if time.Since(since) > indexPatience {
			return err
		}
		r.Log.Warn("the index can't be reached; going on where this was as soon as it can", "error", err)
		if err := sleep.For(ctx, betweenTries); err != nil {
			return err
		}
	}
}

func newRun(cfg Config) *run {
	cfg.fill()
	return &run{Config: cfg, progress: new(Progress), texts: newTextCache()}
}

// fill sets the defaults of zero fields.
func (c *Config) fill() {
	if c.Report == nil {
		c.Report = func(Problem) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Storage == nil {
		c.Storage = warc.Local{}
	}
	c.Storage = warc.Remembering(c.Storage)
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
}

type run struct {
	Config
	progress *Progress
	texts    *textCache
	memory   visible.Memory // of the pages read so far
	noTexts  bool           // skip texts and sketches, to measure their cost

	leaveComing bool // skip files in folders that are still being written
	left        bool // some were skipped

	importing sync.Mutex // held while an index file is imported

	mu       sync.Mutex
	imported []string                // files that an imported index named
	unusable map[string]unusableFile // by path; nil if this run doesn't watch
}

func (r *run) report(p Problem) {
	if !p.Warning {
		r.progress.Problems.Add(1)
	}
	r.Report(p)
}

// runRounds works in three rounds: first index files, so that each file they name gets one entry; then files of records; then the files
// that an index named, whose records tell more than its lines.
func (r *run) runRounds(ctx context.Context, paths []string) error {
	var indexes, stores []storedFile
	for _, f := range r.discover(ctx, paths) {
		if r.isIndex(ctx, f.path) {
			indexes = append(indexes, f)
		} else {
			stores = append(stores, f)
		}
	}
	if err := r.indexFiles(ctx, indexes, r.Index.ClaimIndexFile); err != nil {
		return err
	}
	if !r.LinesOnly {
		if err := r.indexFiles(ctx, stores, r.Index.Claim); err != nil {
			return err
		}
		if err := r.indexFiles(ctx, r.discover(ctx, r.imported), r.Index.Claim); err != nil {
			return err
		}
	}
	_, left, err := r.Index.Resolve(ctx)
	r.progress.Unresolved.Store(int64(left))
	return err
}

// indexFiles indexes files in parallel. Processes that index into one store share the work: each claims some files at a time.
func (r *run) indexFiles(ctx context.Context, files []storedFile, claim claimer) error {
	if !r.Index.Shared() {
		return r.indexSome(ctx, files)
	}
	for {
		var busy []storedFile
		for some := range slices.Chunk(files, 2*r.Workers) {
			left, err := r.indexClaimed(ctx, some, claim)
			if err != nil {
				return err
			}
			busy = append(busy, left...)
		}
		if len(busy) == 0 || !r.Await {
			return nil
		}
		if len(busy) == len(files) {
			r.Log.Info("waiting for files that another varve is indexing", "files", len(busy), "first", busy[0].path)
			if err := sleep.For(ctx, awaitOthers); err != nil {
				return err
			}
		}
		files = busy
	}
}

// A claimer claims a file of a collection by name ([index.Index.Claim]).
type claimer func(ctx context.Context, coll, name string) (*index.Claim, error)

// awaitOthers is the time between two checks of files that other processes are indexing.
const awaitOthers = 2 * time.Second

// indexClaimed indexes the files that no other process is indexing, and returns the others. Files with the same name share a claim, because
// one may be a copy of the other.
func (r *run) indexClaimed(ctx context.Context, files []storedFile, claimed claimer) (busy []storedFile, err error) {
	var mine []storedFile
	claims := map[string]*index.Claim{} // by name; nil if another process has it
	for _, f := range files {
		name := warc.Base(f.path)
		claim, asked := claims[name]
		if !asked {
			claim, err = claimed(ctx, r.Collection, name)
			if err != nil && !errors.Is(err, index.ErrClaimed) {
				return nil, err
			}
			if claims[name] = claim; claim != nil {
				defer claim.Release()
			}
		}
		if f.claim = claim; claim == nil {
			busy = append(busy, f)
			continue
		}
		mine = append(mine, f)
	}
	return busy, r.indexSome(ctx, mine)
}

// indexSome indexes claimed files in parallel.
func (r *run) indexSome(ctx context.Context, files []storedFile) error {
	jobs, err := r.jobs(ctx, files)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		r.progress.TotalBytes.Add(j.size - j.from)
	}
	r.progress.TotalFiles.Add(int64(len(jobs)))
	if r.Started != nil && len(jobs) > 0 {
		r.Started(r.progress)
		r.Started = nil
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.Workers)
	for _, j := range longestFirst(jobs) {
		g.Go(func() error { return r.indexFile(ctx, j) })
	}
	return g.Wait()
}

// addImported remembers a file whose captures came from an index and whose records have yet to be read.
func (r *run) addImported(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.imported = append(r.imported, path)
}

// jobs plans the jobs for files and assigns IDs to new ones in order of name.
func (r *run) jobs(ctx context.Context, files []storedFile) ([]job, error) {
	c := r.catalogue()
	var jobs []job
	for _, f := range files {
		if r.isUnusable(f) {
			continue
		}
		j, ok, err := c.plan(ctx, f)
		if err == nil && ok && j.file.ID == 0 {
			err = c.put(ctx, &j.file)
		}
		var broken *indexError
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.As(err, &broken):
			return nil, broken.err
		case errors.Is(err, index.ErrUnavailable):
			return nil, err
		case err != nil:
			r.reportFile(f.path, err)
		case ok:
			j.claim, j.replaces = f.claim, c.others(f)
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// longestFirst sorts the longest jobs first, which keeps all cores busy until the end.
func longestFirst(jobs []job) []job {
	out := slices.Clone(jobs)
	slices.SortStableFunc(out, func(a, b job) int { return int((b.size-b.from)>>10) - int((a.size-a.from)>>10) })
	return out
}

// indexFile indexes one file. It returns only errors that stop the whole run: those of the index and of ctx.
func (r *run) indexFile(ctx context.Context, j job) error {
	err := r.scan(ctx, &j)
	if err == nil {
		err = r.remove(ctx, j.replaces)
	}
	var broken *indexError
	switch {
	case err == nil:
		r.progress.Files.Add(1)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &broken):
		return broken.err
	case errors.Is(err, index.ErrUnavailable): // the file itself may be fine
		return err
	case errors.Is(err, index.ErrClaimed): // an index file that can't be imported now; the next run tries again
		return nil
	}
	name := warc.Base(j.file.Path)
	r.report(Problem{File: j.file.Path, Offset: -1, Reason: strings.TrimPrefix(reasonOf(j.file.Path, err), name+": ")})
	return r.giveUp(ctx, j)
}

func (r *run) remove(ctx context.Context, files []index.File) error {
	if err := r.Index.RemoveFiles(ctx, index.IDs(files)...); err != nil && !errors.Is(err, index.ErrNoFile) {
		return &indexError{err}
	}
	return nil
}

// giveUp removes the entry of a file that can't be read at all, so that the index lists only files that it can show.
func (r *run) giveUp(ctx context.Context, j job) error {
	r.setUnusable(j.file)
	if f, ok := r.Index.File(j.file.ID); ok && !f.Done {
		return r.Index.RemoveFiles(ctx, j.file.ID)
	}
	return nil
}

// An indexError is an error of the index. It stops the run, while an error of a file ends only that file.
type indexError struct{ err error }

func (e *indexError) Error() string { return e.err.Error() }

func (r *run) scan(ctx context.Context, j *job) error {
	f, err := warc.Open(ctx, r.Storage, j.file.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	if j.recheck > 0 {
		sum, err := newSumming(ctx, f).sum(ctx, j.recheck)
		switch {
		case err != nil:
			return err
		case sum == j.file.Sum && j.recheck == j.size:
			r.progress.Bytes.Add(j.size)
			return r.finish(ctx, j.file, j.claim)
		case sum != j.file.Sum:
			if err := r.replace(ctx, &j.file); err != nil {
				return err
			}
			r.progress.TotalBytes.Add(j.from)
			j.from = 0
		}
	}
	format, err := warc.Detect(f, j.file.Path)
	if err != nil {
		return err
	}
	j.file.Format = format.String()
	if format >= warc.CDX {
		return r.importIndex(ctx, j, newSumming(ctx, f))
	}
	w := r.Index.Writer(ctx, j.file.Collection)
	defer w.Cancel()
	s := &scanner{run: r, writer: w, job: j, extractor: visible.Extractor{Memory: &r.memory}}
	whole := newSumming(ctx, f)
	if err := s.records(ctx, whole); err != nil && err != io.EOF {
		return err
	}
	if j.file.Sum = ""; j.from == 0 {
		j.file.Sum, _ = whole.sum(ctx, f.Size()) // "" if the file is shorter than it says
	}
	if err := w.Flush(); err != nil {
		return &indexError{err}
	}
	r.texts.add(s.bodies)
	j.file.Done, j.file.Imported, j.file.Indexed = true, false, now()
	return r.finish(ctx, j.file, j.claim)
}

// replace removes a file from the index, and adds it as one that is yet to be read.
func (r *run) replace(ctx context.Context, f *index.File) error {
	if err := r.Index.RemoveFiles(ctx, f.ID); err != nil {
		return &indexError{err}
	}
	*f = index.File{
		Collection: f.Collection, Path: f.Path, Source: f.Source, Name: f.Name, Size: f.Size, ModTime: f.ModTime,
		Head: f.Head, HeadLen: f.HeadLen,
	}
	return r.put(ctx, f)
}

// put stores a file's entry in the index. A new one gets its ID.
func (r *run) put(ctx context.Context, f *index.File) (err error) {
	if f.ID, err = r.Index.PutFile(ctx, *f); err != nil {
		return &indexError{err}
	}
	return nil
}

// finish marks a file as indexed, unless another process has taken it over.
func (r *run) finish(ctx context.Context, f index.File, claim *index.Claim) error {
	if claim == nil {
		return r.put(ctx, &f)
	}
	if _, err := claim.PutFile(ctx, f); err != nil {
		return &indexError{err}
	}
	return nil
}
