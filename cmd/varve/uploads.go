package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/replay/pages/uploads"
)

// A volume is a number of bytes, such as 10GB or 512MiB.
type volume int64

// UnmarshalText implements [encoding.TextUnmarshaler].
func (v *volume) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n == 0 || n > 1<<50 {
		return fmt.Errorf("%.40q: want a number of bytes such as 10GB", text)
	}
	*v = volume(n)
	return nil
}

// uploadsDir is where files go that readers hand in, in a folder for each collection, if there is no better place.
func (p *program) uploadsDir() string { return filepath.Join(p.Data, "uploads") }

// withKept adds the files that varve keeps itself to where files are: what readers have handed in, and what was captured from the
// live web. Captures of the collection that indexing goes to may come while the server runs.
func (p *program) withKept(ctx context.Context, at []place, uploadTo string) []place {
	if !p.readOnly {
		if err := os.MkdirAll(filepath.Join(p.warcsDir(), p.Collection), 0o755); err != nil {
			p.log().Warn("captures of the live web are not watched", "error", err)
		}
	}
	at = slices.Clone(at)
	dirs := []string{p.uploadsDir(), p.warcsDir()}
	if blobstore.IsRemote(uploadTo) {
		at = p.withBucket(ctx, at, uploadTo)
	} else if uploadTo != "" {
		dirs = append(dirs, uploadTo)
	}
	for _, dir := range dirs {
		folders, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			p.log().Warn("files that varve keeps itself are not watched", "error", err)
		}
		for _, f := range folders {
			if f.IsDir() && collectionName.MatchString(f.Name()) {
				at = withFolder(at, f.Name(), filepath.Join(dir, f.Name()))
			}
		}
	}
	return at
}

// withBucket adds the folders of collections in a bucket to where files are.
func (p *program) withBucket(ctx context.Context, at []place, uploadTo string) []place {
	d, err := blobstore.Open(uploadTo, blobstore.Config{S3: p.s3})
	if err != nil {
		p.log().Warn("files that readers have handed in are not watched", "error", err)
		return at
	}
	seen := map[string]bool{}
	for f, err := range d.List(ctx, "") {
		if err != nil {
			p.log().Warn("files that readers have handed in are not watched", "error", err)
			break
		}
		if coll, _, inside := strings.Cut(f.Name, "/"); inside && !seen[coll] && collectionName.MatchString(coll) {
			seen[coll] = true
			at = withFolder(at, coll, d.Address(coll))
		}
	}
	return at
}

// withFolder adds a folder to the place of a collection.
func withFolder(at []place, coll, path string) []place {
	i := slices.IndexFunc(at, func(a place) bool { return a.coll == coll })
	if i < 0 {
		return append(at, place{coll: coll, paths: []string{path}})
	}
	at[i].paths = append(slices.Clone(at[i].paths), path)
	return at
}

// takeUploads returns what takes files from readers, nil if the server takes none.
func (p *program) takeUploads(c serving, x *index.Index, at []place, metadata bool) (*uploads.Config, *upload.Queue) {
	may, asked := c.may(c.Uploads)
	if p.readOnly || !may {
		if p.readOnly && asked {
			p.say("--uploads: this server writes nothing, so it takes no files")
		}
		return nil, nil
	}
	p.claims = new(ingest.Claims)
	s := &shelf{program: p, index: x, at: at, to: c.UploadTo, metadata: metadata, folders: map[string]*upload.Folder{}}
	s.clean()
	desk := upload.NewQueue(s, int64(c.UploadLimit), p.log())
	desk.Unpack = p.unpack != nil
	return &uploads.Config{Desk: desk, Default: p.Collection, Asked: asked, Log: p.log()}, desk
}

// A shelf has the files that readers hand in.
type shelf struct {
	*program
	index    *index.Index
	at       []place
	to       string // where the folders of collections are, "" for where they are watched
	metadata bool

	mu      sync.Mutex
	folders map[string]*upload.Folder // by collection, those that can be written
}

// incoming is where files are checked that belong into a bucket, in a folder for each collection.
func (s *shelf) incoming() string { return filepath.Join(s.Data, "incoming") }

// folder returns a folder of this machine. One process has the data of this one, so it is one owner.
func (s *shelf) folder(dir string) *upload.Folder {
	data, err := filepath.Abs(s.Data)
	if err != nil {
		data = s.Data
	}
	return &upload.Folder{Dir: dir, Owner: fmt.Sprintf("%08x", uint32(xxh3.HashString(data))), Storage: s.storage}
}

// candidates returns the folders to which files of a collection could go, the best first.
func (s *shelf) candidates(coll string) (all []*upload.Folder) {
	if blobstore.IsRemote(s.to) {
		f := s.folder(filepath.Join(s.incoming(), coll))
		at, err := blobstore.Open(strings.TrimRight(s.to, "/")+"/"+coll, blobstore.Config{S3: s.s3})
		if err != nil { // the flag has been checked
			return nil
		}
		f.To = at
		return []*upload.Folder{f}
	}
	if s.to != "" {
		return []*upload.Folder{s.folder(filepath.Join(s.to, coll))}
	}
	for _, a := range s.at {
		if a.coll != coll || a.kept {
			continue
		}
		for _, path := range a.paths {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				all = append(all, s.folder(path))
			}
		}
	}
	return append(all, s.folder(filepath.Join(s.uploadsDir(), coll)))
}

// clean removes what was on its way when a server was killed: from wherever files go now, and from the folders of all collections, of which
// some may have nothing in the index yet, and some may have been for another --upload-to.
func (s *shelf) clean() {
	var dirs []string
	for _, a := range s.at {
		for _, f := range s.candidates(a.coll) {
			dirs = append(dirs, f.Dir)
		}
	}
	parents := []string{s.incoming(), s.uploadsDir()}
	if s.to != "" && !blobstore.IsRemote(s.to) {
		parents = append(parents, s.to)
	}
	for _, parent := range parents {
		folders, err := os.ReadDir(parent)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.log().Warn("files that did not arrive whole can't be removed", "folder", parent, "error", err)
		}
		for _, f := range folders {
			if f.IsDir() {
				dirs = append(dirs, filepath.Join(parent, f.Name()))
			}
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := s.folder(dir).Clean(); err != nil {
			s.log().Warn("a file that did not arrive whole can't be removed", "folder", dir, "error", err)
		}
	}
}

// Folder implements [upload.Shelf]: the first watched folder that can be written, else one beside the index.
func (s *shelf) Folder(coll string) (*upload.Folder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.folders[coll]; f != nil {
		return f, nil
	}
	var failed error
	for _, f := range s.candidates(coll) {
		if failed = f.Prepare(); failed != nil {
			s.log().Warn("files that readers hand in can't be put here", "folder", f.Dir, "error", failed)
			continue
		}
		dir, err := filepath.Abs(f.Dir)
		if err != nil {
			return nil, err
		}
		f.Dir = dir
		s.folders[coll] = f
		return f, nil
	}
	return nil, failed
}

// Files implements [upload.Shelf]. Files of this machine may have changed since they were indexed; the others are not asked about in vain.
func (s *shelf) Files(coll string, size int64) []string {
	return s.files(coll, func(f index.File, inside bool) bool { return inside || !blobstore.IsRemote(f.Path) || f.Size == size })
}

func (s *shelf) files(coll string, wanted func(f index.File, inside bool) bool) (paths []string) {
	for _, f := range s.index.Files() {
		outer, _, inside := warc.CutMember(f.Path)
		if f.Collection == coll && f.Done && wanted(f, inside) {
			paths = append(paths, outer)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Claim implements [upload.Shelf]. No two files of a collection get the same name, in whatever folder they are: in index
// lines they have only that.
func (s *shelf) Claim(coll, path string) (release func()) {
	for _, other := range s.files(coll, func(index.File, bool) bool { return true }) {
		if strings.EqualFold(filepath.Base(other), filepath.Base(path)) {
			return nil
		}
	}
	return s.claims.Take(path)
}

// Index implements [upload.Shelf].
func (s *shelf) Index(ctx context.Context, coll, path string, told upload.Indexing) error {
	bar := s.progress()
	cfg := s.config(s.index, place{coll: coll}, bar)
	cfg.Claims, cfg.Metadata = nil, s.metadata
	cfg.Started = func(run *ingest.Progress) { told.Began(&run.Bytes, &run.TotalBytes, &run.Captures) }
	cfg.Report = func(pr ingest.Problem) {
		bar.problem(pr)
		if pr.Warning {
			return
		}
		member := warc.Base(pr.File)
		if member == filepath.Base(path) {
			member = ""
		}
		told.Report(upload.Problem{Member: member, Offset: pr.Offset, Reason: pr.Reason})
	}
	run, err := ingest.Run(ctx, cfg, []string{path})
	if err != nil {
		return err
	}
	if err := compact(ctx, s.index, run); err != nil {
		s.log().Warn("compacting the index failed", "error", err)
	}
	return nil
}
