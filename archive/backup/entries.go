package backup

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Entries calls put with every entry of a snapshot of an index, in the order of the keys. Key and value are valid until put returns.
type Entries func(put func(key, value []byte) error) error

// Limits of entries that are read: those of the stores of indexes.
const (
	maxKey   = 1 << 20
	maxValue = 1 << 30
)

// appendEntry appends an entry: the lengths of key and value, and both.
func appendEntry(dst, key, value []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = binary.AppendUvarint(dst, uint64(len(value)))
	return append(append(dst, key...), value...)
}

// Send writes entries as a stream with an end mark.
func Send(w io.Writer, entries Entries) error {
	out := bufio.NewWriterSize(w, 1<<18)
	count := uint64(0)
	var b []byte
	err := entries(func(key, value []byte) error {
		count++
		b = appendEntry(b[:0], key, value)
		_, err := out.Write(b)
		return err
	})
	if err != nil {
		return err
	}
	end := binary.AppendUvarint([]byte{0}, count) // the empty key is the end mark
	if _, err := out.Write(end); err != nil {
		return err
	}
	return out.Flush()
}

// Receive returns the entries that [Send] wrote. A stream that was cut off is an error.
func Receive(r io.Reader) Entries {
	return func(put func(key, value []byte) error) error {
		in := bufio.NewReaderSize(r, 1<<18)
		var b []byte
		for count := uint64(0); ; count++ {
			n, err := binary.ReadUvarint(in)
			if err != nil {
				return cutOff(err)
			}
			m, err := binary.ReadUvarint(in)
			switch {
			case err != nil:
				return cutOff(err)
			case n == 0 && m != count:
				return fmt.Errorf("the stream has %d entries and says that it has %d", count, m)
			case n == 0:
				return nil
			case n > maxKey || m > maxValue:
				return fmt.Errorf("an entry of %d and %d bytes is none of an index", n, m)
			}
			if uint64(cap(b)) < n+m {
				b = make([]byte, n+m)
			}
			b = b[:n+m]
			if _, err := io.ReadFull(in, b); err != nil {
				return cutOff(err)
			}
			if err := put(b[:n], b[n:]); err != nil {
				return err
			}
		}
	}
}

func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the stream of the index was cut off")
	}
	return err
}

// split splits off the first entry of a part.
func split(part []byte) (key, value, rest []byte, err error) {
	n, a := binary.Uvarint(part)
	if a <= 0 {
		return nil, nil, nil, io.ErrUnexpectedEOF
	}
	m, b := binary.Uvarint(part[a:])
	if b <= 0 {
		return nil, nil, nil, io.ErrUnexpectedEOF
	}
	part = part[a+b:]
	if left := uint64(len(part)); n > left || m > left-n {
		return nil, nil, nil, io.ErrUnexpectedEOF
	}
	return part[:n], part[n : n+m], part[n+m:], nil
}
