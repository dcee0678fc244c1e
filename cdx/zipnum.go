package cdx

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxBlock bounds a compressed block of a ZipNum cluster; usual ones hold 3,000 lines in some 200 kB.
const maxBlock = 64 << 20

// ReadIndexFile yields the captures of the index file at path, as [ReadIndex] does. Where it is the
// .idx of a ZipNum cluster, those of the cluster's blocks in its order; their files are looked for in the .loc
// file beside it, and beside it under the part's own name or that of the .idx.
func ReadIndexFile(path string) iter.Seq2[Capture, error] {
	return func(yield func(Capture, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(Capture{}, err)
			return
		}
		defer f.Close()
		name := filepath.Base(path)
		if !strings.HasSuffix(path, ".idx") {
			ReadIndex(f, name)(yield)
			return
		}
		parts := clusterFiles{idx: path, open: map[string]*os.File{}}
		defer parts.close()
		ReadCluster(f, name, parts.get)(yield)
	}
}

// ReadCluster yields the captures of a ZipNum cluster: idx has a line per block, either "key time",
// part, offset and length with tabs between them, or "key time" and an object with offset, length and filename
// (as in WACZ, where a line "!meta" can name the file for all). open opens a part, or gives it again.
//
// A block that can't be read is yielded as a [*LineError] of its line, and so is each bad line in a block.
func ReadCluster(idx io.Reader, name string, open func(part string) (io.ReaderAt, error)) iter.Seq2[Capture, error] {
	return func(yield func(Capture, error) bool) {
		br := bufio.NewReaderSize(idx, 64<<10)
		c := cluster{open: open}
		for n := 1; ; n++ {
			text, err := readLine(br)
			if err == io.EOF {
				return
			}
			var block []byte
			if err == nil {
				block, err = c.block(string(text))
			}
			if err != nil {
				if !yield(Capture{}, &LineError{File: name, Line: n, Err: err}) || err == io.ErrUnexpectedEOF {
					return
				}
				continue
			}
			for got, err := range ReadIndex(bytes.NewReader(block), name) {
				if bad := (*LineError)(nil); errors.As(err, &bad) {
					err = &LineError{File: name, Line: n, Err: fmt.Errorf("line %d of its block: %w", bad.Line, bad.Err)}
				}
				if !yield(got, err) {
					return
				}
			}
		}
	}
}

// A cluster reads blocks, and remembers what a !meta line said.
type cluster struct {
	open func(part string) (io.ReaderAt, error)
	part string
}

// block returns the compressed block that a line of the .idx names, nil for a line that names none.
func (c *cluster) block(text string) ([]byte, error) {
	part, offset, length, err := c.place(text)
	if err != nil || length == 0 {
		return nil, err
	}
	if offset < 0 || length < 0 || length > maxBlock {
		return nil, fmt.Errorf("block of %d bytes at %d: want at most %d bytes", length, offset, maxBlock)
	}
	r, err := c.open(part)
	if err != nil {
		return nil, err
	}
	block := make([]byte, length)
	if n, err := r.ReadAt(block, offset); n < len(block) {
		return nil, fmt.Errorf("block of %d bytes at %d of %s: %w", length, offset, part, err)
	}
	return block, nil
}

func (c *cluster) place(text string) (part string, offset, length int64, err error) {
	if strings.TrimSpace(text) == "" {
		return "", 0, 0, nil
	}
	if i := strings.IndexByte(text, '{'); i > 0 && !strings.Contains(text, "\t") {
		var o struct {
			Offset, Length int64
			FileName       string
		}
		if err := json.Unmarshal([]byte(text[i:]), &o); err != nil {
			return "", 0, 0, fmt.Errorf("want an object with offset, length and filename: %w", err)
		}
		if o.FileName == "" {
			o.FileName = c.part
		}
		if text[0] == '!' {
			c.part = o.FileName
			return "", 0, 0, nil
		}
		return o.FileName, o.Offset, o.Length, nil
	}
	f := strings.Split(text, "\t")
	if len(f) < 4 {
		return "", 0, 0, errors.New("want key and time, part, offset and length with tabs between them")
	}
	if offset, err = parseCount("offset", f[2]); err == nil {
		length, err = strconv.ParseInt(f[3], 10, 64)
	}
	return f[1], offset, length, err
}

// clusterFiles opens the parts of a cluster that lies in a folder.
type clusterFiles struct {
	idx  string
	open map[string]*os.File
}

func (f *clusterFiles) get(part string) (io.ReaderAt, error) {
	if have := f.open[part]; have != nil {
		return have, nil
	}
	var first error
	for _, path := range f.candidates(part) {
		file, err := os.Open(path)
		if err == nil {
			f.open[part] = file
			return file, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("part %.200q of the cluster: %w", part, first)
}

// candidates are the files that a part may be. Only the .loc file may lead out of the folder: who wrote it
// knows the machine.
func (f *clusterFiles) candidates(part string) []string {
	base := strings.TrimSuffix(f.idx, ".idx")
	near := filepath.Join(filepath.Dir(f.idx), baseName(part))
	paths := []string{near + ".cdx.gz", near + ".gz", base + ".cdx.gz", base + ".gz"}
	if strings.HasSuffix(near, ".gz") {
		paths = append([]string{near}, paths...)
	}
	loc, err := os.ReadFile(base + ".loc")
	if err != nil {
		return paths
	}
	var told []string
	for l := range strings.Lines(string(loc)) {
		fields := strings.Split(strings.TrimSpace(l), "\t")
		for _, path := range fields[1:] {
			if fields[0] != part {
				break
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(filepath.Dir(f.idx), path)
			}
			told = append(told, path)
		}
	}
	return append(told, paths...)
}

func (f *clusterFiles) close() {
	for _, file := range f.open {
		file.Close()
	}
}
