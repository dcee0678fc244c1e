package crawl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"github.com/varve-archive/varve/internal/disk"
)

// folderFile is the file with the ID of a folder of WARC files.
const folderFile = ".varve-folder"

// FolderID returns an ID that is unique among the folders of WARC files of all machines and lasts as long as the folder. It creates
// the folder and the ID if needed; processes that do so at the same time get the same ID.
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
	if err := disk.MoveNew(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) { // a complete file: ours, or another process's
		return "", err
	}
	id, err := os.ReadFile(path)
	return string(id), err
}
