package workspace

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/jobs"
	"github.com/varve-archive/varve/gather/runs"
)

// A Folder is the folder of --data, with the paths inside it.
type Folder struct{ Data string }

// IndexDir is the folder of the index.
func (f Folder) IndexDir() string { return filepath.Join(f.Data, "index") }

// SearchDir is the folder of the change-text searches of all collections.
func (f Folder) SearchDir() string { return filepath.Join(f.Data, "search") }

// PicturesDir is the folder of the pictures of pages.
func (f Folder) PicturesDir() string { return filepath.Join(f.Data, "pictures") }

// WarcsDir is the folder of captures of the live web, with a subfolder for each collection.
func (f Folder) WarcsDir() string { return filepath.Join(f.Data, "warcs") }

// ProxyDir is the folder of the CA of proxies.
func (f Folder) ProxyDir() string { return filepath.Join(f.Data, "proxy") }

// TakedownsFile is the log of access rules that began or ended.
func (f Folder) TakedownsFile() string { return filepath.Join(f.Data, "takedowns.jsonl") }

// Crawls is the folder of the state of crawls, with a subfolder for each.
func (f Folder) Crawls() runs.Folder { return runs.Folder(filepath.Join(f.Data, "crawls")) }

// settingsDir is the folder of templates and rankings that were saved in the interface.
func (f Folder) settingsDir() string { return filepath.Join(f.Data, "settings") }

// Jobs is the folder of ordered crawls.
func (f Folder) Jobs() jobs.Folder { return jobs.Folder(filepath.Join(f.Data, "jobs")) }

// Follows is the folder of the state of followers, with a subfolder for each name.
func (f Folder) Follows() status.Folder { return status.Folder(filepath.Join(f.Data, "follow")) }

// servingFile has the address of the server that has the index open, for commands that find the index in use.
func (f Folder) servingFile() string { return filepath.Join(f.Data, "serving") }

// ServingURL returns the address of the server that has the index open, "" if it is unknown.
func (f Folder) ServingURL() string {
	b, err := os.ReadFile(f.servingFile())
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// Serving returns the place of that server, as the end of a sentence, "" if it is unknown.
func (f Folder) Serving() string {
	if url := f.ServingURL(); url != "" {
		return ", which serves at " + url
	}
	return ""
}
