package crawl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"github.com/varve-archive/varve/internal/disk"
)

// folderFile is where a folder of WARC files has its name among those of all machines.
const folderFile = ".varve-folder"

// FolderID returns what tells a folder of WARC files from those of other machines, for as long as it is there. It makes the folder, and
// gives it one, if needed; processes that do so at the same time get the same.
func FolderID(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, folderFile)
	if id, err := os.ReadFile(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return string(id), err
	}
	f, err := os.CreateTemp(dir, folderFile+"-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(uuid.NewString())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", err
	}
	if err := disk.MoveNew(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) { // whole, or another's
		return "", err
	}
	id, err := os.ReadFile(path)
	return string(id), err
}
