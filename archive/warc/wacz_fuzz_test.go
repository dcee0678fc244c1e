package warc

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"testing"
)

// oneFile is a storage with a file in memory.
type oneFile struct {
	Local
	content []byte
}

func (s oneFile) Open(context.Context, string) (File, error) {
	return memoryFile{bytes.NewReader(s.content)}, nil
}

func (s oneFile) Stat(context.Context, string) (Entry, error) {
	return Entry{Path: "a.wacz", Size: int64(len(s.content))}, nil
}

// A WACZ of any bytes is listed or refused, and none of its members reaches beyond it.
func FuzzWACZ(f *testing.F) {
	for _, store := range []uint16{zip.Store, zip.Deflate} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range []string{"archive/data.warc.gz", "../a.arc", "datapackage.json"} {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: store})
			if err != nil {
				f.Fatal(err)
			}
			if _, err := w.Write([]byte("WARC/1.0\r\n\r\n")); err != nil {
				f.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()-30])
	}
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s := oneFile{content: content}
		members, err := Members(t.Context(), s, "a.wacz")
		if err != nil {
			return
		}
		for _, m := range members {
			file, err := Open(t.Context(), s, "a.wacz#"+m.Path)
			if err != nil {
				continue
			}
			n, _ := io.Copy(io.Discard, io.NewSectionReader(file, 0, file.Size()))
			if n > int64(len(content)) {
				t.Errorf("%q has %d bytes in a file of %d", m.Path, n, len(content))
			}
			_ = file.Close()
		}
	})
}
