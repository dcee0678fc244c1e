// Package workspace is what the commands of varve share: the folder of --data, the index in it or in a database, the storage of archived
// files, and an archive over them.
//
// A command gets a [Workspace], opens what it needs ([Workspace.OpenExisting], [Workspace.OpenArchive]) and closes it. Code for one
// command, or for the server, belongs there.
package workspace

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc/remote"
	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/internal/plainname"
)

// A Workspace is what a command works with. Commands may change its fields before they open something.
type Workspace struct {
	*console.Console
	Settings
	Collections *config.Collections
	S3          *s3.Client          // the object storage
	Store       kv.Store            // the store of the index, once it is open
	Storage     *remote.Storage     // of archived files
	Engine      *opensearch.Cluster // for the searches; nil if there is none
	Staging     *searches.Staging   // receives the texts that indexing keeps for the search; may be nil
	Fills       bool                // the index is written much and read little
	ReadOnly    bool                // nothing is written to the data folder
	lent        *loan               // from the workspace of a server; nil for an own one
}

// A loan is what a server has opened and lends.
type loan struct {
	store    kv.Store
	searches *searches.Searches
}

// Lend returns a workspace for a command of another process. The command uses what this workspace has open, and writes nothing.
func (w *Workspace) Lend(all *searches.Searches, said *console.Console, collection string) *Workspace {
	lent := *w
	lent.Console, lent.Collection, lent.ReadOnly, lent.lent = said, collection, true, &loan{w.Store, all}
	return &lent
}

// Settings are the values of the flags that all commands have, and facts about the program.
type Settings struct {
	Folder
	Database     string // URL of the index, "" if it is in the folder
	SearchEngine string // OpenSearch or Elasticsearch for the searches; may be ""
	Collection   string // into which files are indexed
	S3Endpoint   string
	CacheDir     string
	CacheSize    int64
	Version      string
	About        string // the version with all details of the build
}

// New checks settings. It opens and creates nothing.
func New(c *console.Console, s Settings, collections *config.Collections) (*Workspace, error) {
	w := &Workspace{Console: c, Settings: s, Collections: collections}
	if !plainname.Is(s.Collection) {
		return nil, fmt.Errorf("--collection %q: a name begins with a letter or digit and has only a–z, 0–9, _, . and -", s.Collection)
	}
	if collections != nil {
		collections.Keep(w.settingsDir(), func(coll string) []fields.Column { return w.fields(coll).Columns() }, w.Log())
	}
	var err error
	if w.S3, err = s3.New(s.S3Endpoint); err != nil {
		return nil, fmt.Errorf("--s3-endpoint: %w", err)
	}
	if w.Storage, err = remote.New(remote.Config{S3: w.S3, CacheDir: s.CacheDir, CacheSize: s.CacheSize}); err != nil {
		return nil, fmt.Errorf("--cache-dir: %w", err)
	}
	return w, errors.Join(w.checkDatabase(), w.openEngine())
}

func (w *Workspace) openEngine() (err error) {
	if w.SearchEngine == "" {
		return nil
	}
	if w.Engine, err = opensearch.New(w.SearchEngine); err != nil {
		return fmt.Errorf("--search-engine: %w", err)
	}
	return nil
}

// Software returns the name and the version of varve, for files that it writes.
func (s *Settings) Software() string { return "varve/" + s.Version }

// Agent is varve's user agent on the live web.
func (s *Settings) Agent() string {
	return "varve/" + strings.TrimPrefix(s.Version, "v") + " (+https://github.com/varve-archive/varve)"
}

// NoteServing records the address of a server, until forget is called.
func (w *Workspace) NoteServing(url string) (forget func()) {
	if err := os.WriteFile(w.servingFile(), []byte(url+"\n"), 0o644); err != nil {
		w.Log().Warn("other commands won't be told where this server is"+console.Advice(err), "error", err)
	}
	return func() { os.Remove(w.servingFile()) }
}

// ServingCollection returns the address of the collection on that server, "" if it is unknown.
func (w *Workspace) ServingCollection() string {
	if url := w.ServingURL(); url != "" {
		return url + w.Collection + "/"
	}
	return ""
}
