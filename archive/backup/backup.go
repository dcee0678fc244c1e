package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/blobstore"
)

// format identifies the format of lists.
const format = "varve-backup-1"

// A list has the parts of a backup. Its file is named after its date and its checksum. A backup is complete when its list exists.
type list struct {
	Format  string    `json:"format"`
	Made    time.Time `json:"made"`
	By      string    `json:"by"` // name and version of the program
	Entries int64     `json:"entries"`
	Parts   []part    `json:"parts"` // of the entries, in order
	Files   []file    `json:"files"`
}

// A file is another file in the backup, beside the index.
type file struct {
	Name  string      `json:"name"` // relative to the data folder, with slashes
	Mode  fs.FileMode `json:"mode"`
	Parts []part      `json:"parts"`
}

// A File is a file that is backed up beside the index, or restored.
type File struct {
	Name    string // with slashes, in the folder of the data
	Mode    fs.FileMode
	Content []byte
}

// A Done is the result of a backup or a restore.
type Done struct {
	Name         string // of the backup
	Made         time.Time
	Entries      int64
	Parts, Fresh int   // Fresh: parts that no earlier backup had
	Written      int64 // bytes
}

// Write writes a backup to a blob store, which may have earlier ones.
func Write(ctx context.Context, at *blobstore.Store, by string, now time.Time, entries Entries, files []File) (*Done, error) {
	s, err := newPartStore(at)
	if err != nil {
		return nil, err
	}
	if err := s.list(ctx); err != nil {
		return nil, err
	}
	w := &writing{partStore: s, ctx: ctx, list: list{Format: format, Made: now.UTC().Truncate(time.Microsecond), By: by}}
	err = entries(func(key, value []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.entry(key, value)
	})
	if err == nil {
		err = w.flush(&w.list.Parts)
	}
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		kept := file{Name: f.Name, Mode: f.Mode}
		w.content = f.Content
		if err := w.flush(&kept.Parts); err != nil {
			return nil, err
		}
		w.list.Files = append(w.list.Files, kept)
	}
	return w.finish()
}

// A writing is a backup that is being written.
type writing struct {
	*partStore
	ctx     context.Context
	list    list
	content []byte // of the current part
	done    Done
}

func (w *writing) entry(key, value []byte) error {
	w.list.Entries++
	w.content = appendEntry(w.content, key, value)
	if !ends(key, len(w.content)) {
		return nil
	}
	return w.flush(&w.list.Parts)
}

func (w *writing) flush(parts *[]part) error {
	if len(w.content) == 0 {
		return nil
	}
	p, fresh, err := w.put(w.ctx, w.content)
	if err != nil {
		return err
	}
	w.content = w.content[:0]
	*parts = append(*parts, p)
	w.done.Parts++
	if fresh > 0 {
		w.done.Fresh++
		w.done.Written += fresh
	}
	return nil
}

// finish writes the list, which completes the backup.
func (w *writing) finish() (*Done, error) {
	text, err := json.MarshalIndent(w.list, "", " ")
	if err != nil {
		return nil, err
	}
	w.done.Name, w.done.Made, w.done.Entries = nameOf(w.list.Made, text), w.list.Made, w.list.Entries
	return &w.done, w.at.Put(w.ctx, w.done.Name, bytes.NewReader(text))
}

const (
	namePrefix = "backup-"
	nameSuffix = ".json"
	sumInName  = 32 // hexadecimal digits
)

func nameOf(made time.Time, text []byte) string {
	sum := sha256.Sum256(text)
	return namePrefix + made.Format("20060102150405.000000") + "-" + hex.EncodeToString(sum[:])[:sumInName] + nameSuffix
}

// Names returns the names of the backups in a blob store, oldest first.
func Names(ctx context.Context, at *blobstore.Store) (names []string, err error) {
	for f, err := range at.List(ctx, namePrefix) {
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(f.Name, nameSuffix) && !strings.Contains(f.Name, "/") {
			names = append(names, f.Name)
		}
	}
	return names, nil
}

// readList reads a list and verifies its checksum.
func readList(ctx context.Context, at *blobstore.Store, name string) (*list, error) {
	text, err := at.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	path := at.Address(name)
	l := new(list)
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(l); err != nil {
		return nil, &Damage{path, dec.InputOffset(), err.Error()}
	}
	switch {
	case l.Format != format:
		return nil, fmt.Errorf("%s: the backup has format %q, this varve reads %q", path, l.Format, format)
	case nameOf(l.Made, text) != name:
		return nil, &Damage{path, 0, "its content does not have the checksum in its name"}
	}
	return l, nil
}

// Read restores a backup, the newest if name is "". It calls keep with each file, then put with every entry in the order of the keys; both
// may keep their arguments. A damaged file is a *[Damage]; what was restored before it is incomplete.
func Read(ctx context.Context, at *blobstore.Store, name string, keep func(File) error, put func(key, value []byte) error) (*Done, error) {
	if name == "" {
		names, err := Names(ctx, at)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("there is no backup in %s", at)
		}
		name = names[len(names)-1]
	}
	l, err := readList(ctx, at, name)
	if err != nil {
		return nil, err
	}
	s, err := newPartStore(at)
	if err != nil {
		return nil, err
	}
	r := &reading{partStore: s, keep: keep, put: put, done: Done{Name: name, Made: l.Made}}
	if err := r.all(ctx, l); err != nil {
		return nil, err
	}
	if r.done.Entries != l.Entries {
		return nil, fmt.Errorf("%s lists %d entries, its parts have %d", name, l.Entries, r.done.Entries)
	}
	return &r.done, nil
}

// A reading is a backup that is being restored.
type reading struct {
	*partStore
	keep func(File) error
	put  func(key, value []byte) error
	done Done
}

func (r *reading) all(ctx context.Context, l *list) error {
	for _, f := range l.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return fmt.Errorf("%q is no name of a file beside an index", f.Name)
		}
		kept := File{Name: f.Name, Mode: f.Mode.Perm()}
		for _, p := range f.Parts {
			content, err := r.get(ctx, p)
			if err != nil {
				return err
			}
			kept.Content = append(kept.Content, content...)
		}
		if err := r.keep(kept); err != nil {
			return err
		}
	}
	for _, p := range l.Parts {
		if err := errors.Join(ctx.Err(), r.entries(ctx, p)); err != nil {
			return err
		}
	}
	return nil
}

// entries restores the entries of a part.
func (r *reading) entries(ctx context.Context, p part) error {
	content, err := r.get(ctx, p)
	if err != nil {
		return err
	}
	r.done.Parts++
	for rest := content; len(rest) > 0; r.done.Entries++ {
		var key, value []byte
		if key, value, rest, err = split(rest); err != nil {
			return &Damage{r.at.Address(p.name()), 0, "it ends within an entry"}
		}
		if err := r.put(key, value); err != nil {
			return err
		}
	}
	return nil
}
