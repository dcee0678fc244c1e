// Package filebuffer buffers an unknown number of bytes: in memory while they are few, in a file if they are many.
package filebuffer

import (
	"errors"
	"io"
	"os"
)

// A Buffer keeps what is written to it. The zero Buffer keeps everything in a file of the system's folder for temporary
// files. Only one goroutine may write to it; when all is written, any number may read it.
type Buffer struct {
	// Dir is the folder of the file, "" for the system's. Memory is how many bytes stay in memory.
	Dir    string
	Memory int

	memory []byte
	file   *os.File
	size   int64
}

func (s *Buffer) Write(p []byte) (n int, err error) {
	if s.file == nil && len(s.memory)+len(p) <= s.Memory {
		s.memory = append(s.memory, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	if s.file == nil {
		if s.file, err = create(s.Dir); err != nil {
			return 0, err
		}
	}
	n, err = s.file.WriteAt(p, s.size-int64(len(s.memory)))
	s.size += int64(n)
	return n, err
}

// create creates a file that disappears with the process, where the system allows removing open files.
func create(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".spill-*")
	if err == nil {
		_ = os.Remove(f.Name()) // elsewhere Close does it
	}
	return f, err
}

// Size returns how many bytes were written.
func (s *Buffer) Size() int64 { return s.size }

func (s *Buffer) ReadAt(p []byte, at int64) (n int, err error) {
	if at < int64(len(s.memory)) {
		n = copy(p, s.memory[at:])
	}
	if n == len(p) {
		return n, nil
	}
	if s.file == nil {
		return n, io.EOF
	}
	m, err := s.file.ReadAt(p[n:], at+int64(n)-int64(len(s.memory)))
	return n + m, err
}

// Reader reads what was written so far, from its start.
func (s *Buffer) Reader() *io.SectionReader { return io.NewSectionReader(s, 0, s.size) }

// Close releases the memory or file of the buffer. It may be called more than once.
func (s *Buffer) Close() error {
	s.memory, s.size = nil, 0
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	s.file = nil
	return err
}
