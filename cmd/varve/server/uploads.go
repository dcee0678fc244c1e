package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/ingest/upload"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/plainname"
	"github.com/varve-archive/varve/replay/pages/uploads"
)

// uploadsDir is where files go that readers hand in, in a folder for each collection, if there is no better place.
func (s *server) uploadsDir() string { return filepath.Join(s.Data, "uploads") }

// withOwn adds the files that varve keeps itself to where files are: what readers have handed in, and what was captured from the
// live web. Captures of the collection that indexing goes to may come while the server runs.
func (s *server) withOwn(ctx context.Context, at []Place, uploadTo string) []Place {
	if !s.ReadOnly {
		if err := os.MkdirAll(filepath.Join(s.WarcsDir(), s.Collection), 0o755); err != nil {
			s.Log().Warn("captures of the live web are not watched", "error", err)
		}
	}
	at = slices.Clone(at)
	dirs := []string{s.uploadsDir(), s.WarcsDir()}
	if blobstore.IsRemote(uploadTo) {
		at = s.withBucket(ctx, at, uploadTo)
	} else if uploadTo != "" {
		dirs = append(dirs, uploadTo)
	}
	for _, dir := range dirs {
		folders, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.Log().Warn("files that varve keeps itself are not watched", "error", err)
		}
		for _, f := range folders {
			if f.IsDir() && plainname.Is(f.Name()) {
				at = withFolder(at, f.Name(), filepath.Join(dir, f.Name()))
			}
		}
	}
	return at
}

// withBucket adds the folders of collections in a bucket to where files are.
func (s *server) withBucket(ctx context.Context, at []Place, uploadTo string) []Place {
	d, err := blobstore.Open(uploadTo, blobstore.Config{S3: s.S3})
	if err != nil {
		s.Log().Warn("files that readers have handed in are not watched", "error", err)
		return at
	}
	seen := map[string]bool{}
	for f, err := range d.List(ctx, "") {
		if err != nil {
			s.Log().Warn("files that readers have handed in are not watched", "error", err)
			break
		}
		if coll, _, inside := strings.Cut(f.Name, "/"); inside && !seen[coll] && plainname.Is(coll) {
			seen[coll] = true
			at = withFolder(at, coll, d.Address(coll))
		}
	}
	return at
}

// withFolder adds a folder to the place of a collection.
func withFolder(at []Place, coll, path string) []Place {
	i := slices.IndexFunc(at, func(a Place) bool { return a.Coll == coll })
	if i < 0 {
		return append(at, Place{Coll: coll, Paths: []string{path}})
	}
	at[i].Paths = append(slices.Clone(at[i].Paths), path)
	return at
}

// takeUploads returns what takes files from readers, nil if the server takes none.
func (s *server) takeUploads() (*uploads.Config, *upload.Queue) {
	may, asked := s.cfg.may(s.cfg.Uploads)
	if s.ReadOnly || !may {
		if s.ReadOnly && asked {
			s.Say("--uploads: this server writes nothing, so it takes no files")
		}
		return nil, nil
	}
	s.claims = new(ingest.Claims)
	files := &uploadStorage{server: s, folders: map[string]*upload.Folder{}}
	files.clean()
	queue := upload.NewQueue(files, int64(s.cfg.UploadLimit), s.Log())
	queue.Unpack = s.cfg.Unpack != nil
	return &uploads.Config{Queue: queue, Default: s.Collection, Asked: asked}, queue
}

// An uploadStorage has the files that readers hand in. It implements [upload.Storage].
type uploadStorage struct {
	*server

	mu      sync.Mutex
	folders map[string]*upload.Folder // by collection, those that can be written
}

// incoming is where files are checked that belong into a bucket, in a folder for each collection.
func (s *uploadStorage) incoming() string { return filepath.Join(s.Data, "incoming") }

// folder returns a folder of this machine. One process has the data of this one, so it is one owner.
func (s *uploadStorage) folder(dir string) *upload.Folder {
	data, err := filepath.Abs(s.Data)
	if err != nil {
		data = s.Data
	}
	return &upload.Folder{Dir: dir, Owner: fmt.Sprintf("%08x", uint32(xxh3.HashString(data))), Storage: s.Storage}
}

// candidates returns the folders to which files of a collection could go, the best first.
func (s *uploadStorage) candidates(coll string) (all []*upload.Folder) {
	if blobstore.IsRemote(s.cfg.UploadTo) {
		f := s.folder(filepath.Join(s.incoming(), coll))
		at, err := blobstore.Open(strings.TrimRight(s.cfg.UploadTo, "/")+"/"+coll, blobstore.Config{S3: s.S3})
		if err != nil { // the flag has been checked
			return nil
		}
		f.To = at
		return []*upload.Folder{f}
	}
	if s.cfg.UploadTo != "" {
		return []*upload.Folder{s.folder(filepath.Join(s.cfg.UploadTo, coll))}
	}
	for _, a := range s.cfg.Places {
		if a.Coll != coll || a.foreign {
			continue
		}
		for _, path := range a.Paths {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				all = append(all, s.folder(path))
			}
		}
	}
	return append(all, s.folder(filepath.Join(s.uploadsDir(), coll)))
}

// clean removes what was on its way when a server was killed: from wherever files go now, and from the folders of all collections, of which
// some may have nothing in the index yet, and some may have been for another --upload-to.
func (s *uploadStorage) clean() {
	var dirs []string
	for _, a := range s.cfg.Places {
		for _, f := range s.candidates(a.Coll) {
			dirs = append(dirs, f.Dir)
		}
	}
	parents := []string{s.incoming(), s.uploadsDir()}
	if s.cfg.UploadTo != "" && !blobstore.IsRemote(s.cfg.UploadTo) {
		parents = append(parents, s.cfg.UploadTo)
	}
	for _, parent := range parents {
		folders, err := os.ReadDir(parent)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.Log().Warn("files that did not arrive whole can't be removed", "folder", parent, "error", err)
		}
		for _, f := range folders {
			if f.IsDir() {
				dirs = append(dirs, filepath.Join(parent, f.Name()))
			}
		}
	}
	for _, dir := range dirs {
		if err := s.folder(dir).Clean(); err != nil {
			s.Log().Warn("a file that did not arrive whole can't be removed", "folder", dir, "error", err)
		}
	}
}

// Folder implements [upload.Storage]: the first watched folder that can be written, else one beside the index.
func (s *uploadStorage) Folder(coll string) (*upload.Folder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.folders[coll]; f != nil {
		return f, nil
	}
	var failed error
	for _, f := range s.candidates(coll) {
		if failed = f.Prepare(); failed != nil {
			s.Log().Warn("files that readers hand in can't be put here", "folder", f.Dir, "error", failed)
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

// Files implements [upload.Storage]. Files of this machine may have changed since they were indexed; the others are not asked about in
// vain.
func (s *uploadStorage) Files(coll string, size int64) []string {
	return s.files(coll, func(f index.File, inside bool) bool { return inside || !blobstore.IsRemote(f.Path) || f.Size == size })
}

func (s *uploadStorage) files(coll string, wanted func(f index.File, inside bool) bool) (paths []string) {
	for _, f := range s.index.Files() {
		outer, _, inside := warc.CutMember(f.Path)
		if f.Collection == coll && f.Done && wanted(f, inside) {
			paths = append(paths, outer)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Claim implements [upload.Storage]. No two files of a collection get the same name, in whatever folder they are: in index
// lines they have only that.
func (s *uploadStorage) Claim(coll, path string) (release func()) {
	for _, other := range s.files(coll, func(index.File, bool) bool { return true }) {
		if strings.EqualFold(filepath.Base(other), filepath.Base(path)) {
			return nil
		}
	}
	return s.claims.Take(path)
}

func (s *uploadStorage) Index(ctx context.Context, coll, path string, told upload.Indexing) error {
	bar := s.Progress()
	defer bar.Say()
	cfg := s.ingest(Place{Coll: coll}, bar)
	cfg.Claims, cfg.Metadata = nil, s.cfg.Metadata
	cfg.Started = func(run *ingest.Progress) { told.Began(&run.Bytes, &run.TotalBytes, &run.Captures) }
	cfg.Report = func(pr ingest.Problem) {
		bar.Problem(pr)
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
	s.compact(ctx, run)
	return nil
}
