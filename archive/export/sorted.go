package export

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"slices"
)

// sorted sorts lines that are nearly in order, such as those of an index. Only lines that are out of order are kept in memory.
type sorted struct {
	file *scratch
	last string
	late []string
}

func newSorted() (*sorted, error) {
	file, err := newScratch()
	return &sorted{file: file}, err
}

func (s *sorted) close() { s.file.close() }

func (s *sorted) add(line []byte) error {
	if string(line) < s.last {
		s.late = append(s.late, string(line))
		return nil
	}
	s.last = string(line)
	_, err := s.file.Write(line)
	return err
}

// writeTo writes all lines in order.
func (s *sorted) writeTo(ctx context.Context, w io.Writer) error {
	slices.Sort(s.late)
	in, err := s.file.reader()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for {
		line, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		for len(s.late) > 0 && s.late[0] < line { // each comes before a line of the file
			if _, err := out.WriteString(s.late[0]); err != nil {
				return err
			}
			s.late = s.late[1:]
		}
		if line == "" {
			return errors.Join(ctx.Err(), out.Flush())
		}
		if _, err := out.WriteString(line); err != nil {
			return err
		}
	}
}

// A scratch is a temporary file that is first written and then read.
type scratch struct {
	*bufio.Writer
	file *os.File
}

func newScratch() (*scratch, error) {
	f, err := os.CreateTemp("", "varve-export-")
	if err != nil {
		return nil, err
	}
	return &scratch{bufio.NewWriter(f), f}, nil
}

func (s *scratch) reader() (*bufio.Reader, error) {
	if err := s.Flush(); err != nil {
		return nil, err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return bufio.NewReader(s.file), err
}

func (s *scratch) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
