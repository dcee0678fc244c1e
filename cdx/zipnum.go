package cdx

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// maxBlock bounds a compressed block of a ZipNum cluster. Usual blocks hold 3,000 lines in some 200 kB.
const maxBlock = 64 << 20

// An IndexFile is a file of an index, open for reading.
type IndexFile interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// ReadIndexFile yields the captures of the index file called name, as [ReadIndex] does. For the .idx of a ZipNum
// cluster it yields those of the cluster's blocks in order. It looks for the blocks' files in the .loc file beside the
// .idx, then beside it under the part's own name or that of the .idx.
//
// open opens the file called name and the files beside it by their names; a .loc file may name others by their paths.
func ReadIndexFile(name string, open func(name string) (IndexFile, error)) iter.Seq2[Capture, error] {
	return func(yield func(Capture, error) bool) {
		f, err := open(name)
		if err != nil {
			yield(Capture{}, err)
			return
		}
		defer f.Close()
		in := io.NewSectionReader(f, 0, f.Size())
		if !strings.HasSuffix(name, ".idx") {
			ReadIndex(in, name)(yield)
			return
		}
		parts := clusterFiles{idx: name, open: open, opened: map[string]IndexFile{}, missing: map[string]error{}}
		defer parts.close()
		ReadCluster(in, name, parts.get)(yield)
	}
}

// ReadCluster yields the captures of a ZipNum cluster. idx has one line per block: either "key time", part, offset and
// length separated by tabs, or "key time" and an object with offset, length and filename (as in WACZ, where a "!meta"
// line may name the file for all). open opens a part; it may be called several times for one part.
//
// A block that can't be read is yielded as a [*LineError] of its line, and so is each bad line in a block.
func ReadCluster(idx io.Reader, name string, open func(part string) (io.ReaderAt, error)) iter.Seq2[Capture, error] {
	return func(yield func(Capture, error) bool) {
		br := bufio.NewReaderSize(idx, 64<<10)
		c := cluster{open: open}
		for n := 1; ; n++ {
			text, err := readLine(br)
			if err != nil && err != errLongLine {
				if err != io.EOF {
					yield(Capture{}, &LineError{File: name, Line: n, Err: err})
				}
				return
			}
			var block []byte
			if err == nil {
				block, err = c.block(string(text))
			}
			if err != nil {
				if !yield(Capture{}, &LineError{File: name, Line: n, Err: err}) {
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

// A cluster reads blocks and remembers the file that a !meta line named.
type cluster struct {
	open func(part string) (io.ReaderAt, error)
	part string
}

// block returns the compressed block that a line of the .idx names, nil if it names none.
func (c *cluster) block(text string) ([]byte, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	part, offset, length, err := c.place(text)
	if err != nil || text[0] == '!' {
		return nil, err
	}
	if offset < 0 || length <= 0 || length > maxBlock {
		return nil, fmt.Errorf("block of %d bytes at %d: want 1 to %d bytes", length, offset, maxBlock)
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
	if i := strings.Index(text, " {"); i > 0 && !strings.Contains(text, "\t") { // keys have no spaces, though perhaps braces
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
		}
		return o.FileName, o.Offset, o.Length, nil
	}
	f := strings.Split(text, "\t")
	if len(f) < 4 {
		return "", 0, 0, errors.New("want key and time, part, offset and length with tabs between them")
	}
	if offset, err = parseCount("offset", f[2]); err == nil {
		length, err = parseCount("length", f[3])
	}
	return f[1], offset, length, err
}

// clusterFiles opens the parts of a cluster, each one once.
type clusterFiles struct {
	idx     string
	open    func(name string) (IndexFile, error)
	opened  map[string]IndexFile // by part
	missing map[string]error     // by part
	paths   map[string][]string  // by part, from the .loc file; nil until it is read
}

func (f *clusterFiles) get(part string) (io.ReaderAt, error) {
	if have := f.opened[part]; have != nil {
		return have, nil
	}
	if err := f.missing[part]; err != nil {
		return nil, err
	}
	var first error
	for _, name := range f.candidates(part) {
		file, err := f.open(name)
		if err == nil {
			f.opened[part] = file
			return file, nil
		}
		if first == nil {
			first = err
		}
	}
	err := fmt.Errorf("part %.200q of the cluster: %w", part, first)
	f.missing[part] = err
	return nil, err
}

// candidates are the files that may hold a part. Only the .loc file may lead out of the folder, because its author
// knows where things are.
func (f *clusterFiles) candidates(part string) []string {
	base, near := strings.TrimSuffix(f.idx, ".idx"), baseName(part)
	names := []string{near + ".cdx.gz", near + ".gz", base + ".cdx.gz", base + ".gz"}
	if strings.HasSuffix(near, ".gz") {
		names = append([]string{near}, names...)
	}
	if f.paths == nil {
		f.paths = f.located(base + ".loc")
	}
	return append(slices.Clip(f.paths[part]), names...)
}

// located returns the paths that the .loc file, if there is one, lists for each part.
func (f *clusterFiles) located(loc string) map[string][]string {
	paths := map[string][]string{}
	file, err := f.open(loc)
	if err != nil {
		return paths
	}
	defer file.Close()
	for lines := bufio.NewReader(io.NewSectionReader(file, 0, file.Size())); ; {
		line, err := readLine(lines)
		if err == errLongLine {
			continue
		}
		if err != nil {
			return paths
		}
		fields := strings.Split(strings.TrimSpace(string(line)), "\t")
		paths[fields[0]] = append(paths[fields[0]], fields[1:]...)
	}
}

func (f *clusterFiles) close() {
	for _, file := range f.opened {
		file.Close()
	}
}
