package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// Sizes of parts before they are compressed. Keys end a part by chance, about one in cutEvery, so that the same keys do so
// in the next backup, whatever was added before them.
const (
	smallPart = 256 << 10
	largePart = 8 << 20
	cutEvery  = 1 << 9
)

// ends reports whether an entry with this key ends a part that has become so large.
func ends(key []byte, size int) bool {
	return size >= largePart || size >= smallPart && xxh3.Hash(key)%cutEvery == 0
}

// A part is a file of a backup folder. Several backups may have it in common.
type part struct {
	Sum   string `json:"sha256"` // of its content before it was compressed; it is also its name
	Bytes int64  `json:"bytes"`  // of that content
}

// A Damage says that a file of a backup is not what it was.
type Damage struct {
	File   string
	Offset int64 // from which on it can't be used
	Reason string
}

// Error returns file, offset and reason in one sentence.
func (d *Damage) Error() string {
	return fmt.Sprintf("%s: damaged from byte %d on: %s", d.File, d.Offset, d.Reason)
}

// A folder is where backups are.
type folder struct {
	dir string
	in  *zstd.Decoder
	out *zstd.Encoder
}

func newFolder(dir string) (*folder, error) {
	in, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(longestValue*2), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return &folder{dir, in, out}, err
}

// path returns where a part is. There are too many for one folder.
func (f *folder) path(sum string) string { return filepath.Join(f.dir, "parts", sum[:2], sum+".zst") }

// put stores content as a part, unless it is there and undamaged.
func (f *folder) put(content []byte) (p part, fresh int64, err error) {
	sum := sha256.Sum256(content)
	p = part{hex.EncodeToString(sum[:]), int64(len(content))}
	if _, err := f.get(p); err == nil {
		return p, 0, nil
	}
	packed := f.out.EncodeAll(content, nil)
	return p, int64(len(packed)), writeFile(f.path(p.Sum), packed)
}

// get returns the content of a part. If it is not what was stored, the error is a *[Damage].
func (f *folder) get(p part) ([]byte, error) {
	if b, err := hex.DecodeString(p.Sum); err != nil || len(b) != sha256.Size {
		return nil, fmt.Errorf("%q is no name of a part", p.Sum)
	}
	path := f.path(p.Sum)
	packed, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Damage{path, 0, "it is gone"}
	}
	if err != nil {
		return nil, err
	}
	content, err := f.in.DecodeAll(packed, nil)
	if err != nil {
		return nil, &Damage{path, f.undamaged(packed), strings.TrimPrefix(err.Error(), "zstd: ")}
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != p.Sum {
		return nil, &Damage{path, 0, fmt.Sprintf("its content has the SHA-256 %x", sum)}
	}
	return content, nil
}

// undamaged returns how many bytes of a damaged part can be unpacked, about.
func (f *folder) undamaged(packed []byte) int64 {
	in := bytes.NewReader(packed)
	r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return 0
	}
	defer r.Close()
	for buf := make([]byte, 1<<15); err == nil; {
		_, err = r.Read(buf)
	}
	return int64(len(packed) - in.Len())
}

// writeFile writes a file that is complete or not there.
func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(path), "*.open")
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = os.Rename(out.Name(), path)
	}
	if err != nil {
		_ = os.Remove(out.Name())
	}
	return err
}

// syncFolder makes the names in a folder survive a loss of power, where the system can.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
