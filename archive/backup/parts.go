package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"github.com/varve-archive/varve/archive/blobstore"
)

// Sizes of parts before compression. A part ends at a key whose hash says so, about one in cutInterval, so the next backup cuts at the same
// keys, whatever was added before them.
const (
	smallPart   = 256 << 10
	largePart   = 8 << 20
	cutInterval = 1 << 9
)

// ends reports whether a part of this size ends after an entry with this key.
func ends(key []byte, size int) bool {
	return size >= largePart || size >= smallPart && xxh3.Hash(key)%cutInterval == 0
}

// A part is a file of the blob store, which several backups may share.
type part struct {
	Sum   string `json:"sha256"` // of its uncompressed content; also its name
	Bytes int64  `json:"bytes"`  // of that content
}

// A Damage says that a file of a backup is damaged.
type Damage struct {
	File   string
	Offset int64 // from which on it can't be used
	Reason string
}

// Error returns file, offset and reason in one sentence.
func (d *Damage) Error() string {
	return fmt.Sprintf("%s: damaged from byte %d on: %s", d.File, d.Offset, d.Reason)
}

type partStore struct {
	at  *blobstore.Store
	in  *zstd.Decoder
	out *zstd.Encoder

	// sizes has the sizes of existing parts by name, for storages that guarantee integrity. For others each part is read to check it.
	sizes map[string]int64
}

func newPartStore(at *blobstore.Store) (*partStore, error) {
	in, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxValue*2), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return &partStore{at: at, in: in, out: out}, err
}

func (s *partStore) list(ctx context.Context) error {
	if !blobstore.IsRemote(s.at.String()) {
		return nil
	}
	s.sizes = map[string]int64{}
	for f, err := range s.at.List(ctx, partsFolder) {
		if err != nil {
			return err
		}
		s.sizes[f.Name] = f.Size
	}
	return nil
}

const partsFolder = "parts/"

// name returns the name of a part in the blob store. There are too many for a single folder.
func (p part) name() string { return partsFolder + p.Sum[:2] + "/" + p.Sum + ".zst" }

// put stores content as a part, unless the part exists undamaged.
func (s *partStore) put(ctx context.Context, content []byte) (p part, fresh int64, err error) {
	sum := sha256.Sum256(content)
	p = part{hex.EncodeToString(sum[:]), int64(len(content))}
	if s.sizes == nil {
		if _, err := s.get(ctx, p); err == nil {
			return p, 0, nil
		}
	}
	packed := s.out.EncodeAll(content, nil)
	if size, ok := s.sizes[p.name()]; ok && size == int64(len(packed)) {
		return p, 0, nil
	}
	return p, int64(len(packed)), s.at.Put(ctx, p.name(), bytes.NewReader(packed))
}

// get returns the content of a part. If it is damaged, the error is a *[Damage].
func (s *partStore) get(ctx context.Context, p part) ([]byte, error) {
	if b, err := hex.DecodeString(p.Sum); err != nil || len(b) != sha256.Size {
		return nil, fmt.Errorf("%q is no name of a part", p.Sum)
	}
	path := s.at.Address(p.name())
	packed, err := s.at.Read(ctx, p.name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Damage{path, 0, "it is gone"}
	}
	if err != nil {
		return nil, err
	}
	content, err := s.in.DecodeAll(packed, nil)
	if err != nil {
		return nil, &Damage{path, s.undamaged(packed), strings.TrimPrefix(err.Error(), "zstd: ")}
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != p.Sum {
		return nil, &Damage{path, 0, fmt.Sprintf("its content has the SHA-256 %x", sum)}
	}
	return content, nil
}

// undamaged returns roughly how many bytes of a damaged part can be unpacked.
func (*partStore) undamaged(packed []byte) int64 {
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
