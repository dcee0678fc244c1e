package backup_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/archive/backup"
)

// place writes a file of a backup.
func place(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A list whose checksum is right may still say what can't be: it may be of another version, or of whoever can write there.
func TestListsThatSayWhatCantBe(t *testing.T) {
	const two = "\x01\x02kvv\x01\x00l"
	const one = `"format":"varve-backup-1","parts":[{"sha256":"PART"}]`
	huge := string(binary.AppendUvarint(nil, 1<<64-1))
	for _, tt := range []struct{ name, list, part, want string }{
		{"as it should be", `"entries":2,` + one, two, ""},
		{"another format", `"format":"varve-backup-2"`, "", `has format "varve-backup-2", this varve reads "varve-backup-1"`},
		{"too few entries", `"entries":3,` + one, two, "lists 3 entries, its parts have 2"},
		{"an entry cut off", one, two + "\x01\x02kv", "ends within an entry"},
		{"a key cut off", one, two + "\x03\x00kv", "ends within an entry"},
		{"a length cut off", one, two + "\x01", "ends within an entry"},
		{"no end of a length", one, two + "\xff", "ends within an entry"},
		{"a huge key", one, huge + "\x00k", "ends within an entry"},
		{"a huge value", one, "\x01" + huge + "k", "ends within an entry"},
		{"a path for a part", `"format":"varve-backup-1","parts":[{"sha256":"../../etc/passwd"}]`, "", "is no name of a part"},
		{"a short name of a part", `"format":"varve-backup-1","parts":[{"sha256":"a0"}]`, "", `"a0" is no name of a part`},
		{"no such part", `"format":"varve-backup-1","parts":[{"sha256":"` + strings.Repeat("a0", 32) + `"}]`, "", "it is gone"},
	} {
		dir, out := t.TempDir(), new(bytes.Buffer)
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(tt.part)))
		z, err := zstd.NewWriter(out)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(z, tt.part)
		if err = errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		place(t, dir, "parts/"+sum[:2]+"/"+sum+".zst", out.Bytes())
		list := `{"made":"2026-01-02T03:04:05Z",` + strings.ReplaceAll(tt.list, "PART", sum) + "}"
		place(t, dir, fmt.Sprintf("backup-20260102030405.000000-%.32s.json", fmt.Sprintf("%x", sha256.Sum256([]byte(list)))), []byte(list))
		got, _, err := read(t, dir, "")
		if tt.want == "" {
			if diff := cmp.Diff(content{"k": "vv", "l": ""}, got); diff != "" || err != nil {
				t.Errorf("%s: %v %s", tt.name, err, diff)
			}
		} else if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// Whoever restores learns what was restored, and an error of the index ends it.
func TestRestoring(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, -1, some(1))
	wrote := write(t, dir, 0, some(9000), backup.File{Name: "a", Content: []byte("b")})
	for _, other := range []string{"backup-9.json.tmp", "backup-9/x.json"} {
		place(t, dir, other, nil)
	}
	keep, put := func(backup.File) error { return nil }, func(_, _ []byte) error { return nil }
	got, err := backup.Read(t.Context(), in(t, dir), "", keep, put)
	want := &backup.Done{Name: wrote.Name, Made: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Entries: 9000, Parts: wrote.Parts - 1}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || wrote.Entries != 9000 || !wrote.Made.Equal(want.Made) {
		t.Errorf("%v, %+v %s", err, wrote, diff)
	}
	full := errors.New("full")
	_, err1 := backup.Read(t.Context(), in(t, dir), "", func(backup.File) error { return full }, put)
	_, err2 := backup.Read(t.Context(), in(t, dir), "", keep, func(_, _ []byte) error { return full })
	if !errors.Is(err1, full) || !errors.Is(err2, full) {
		t.Errorf("%v, %v", err1, err2)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err1 = backup.Read(ctx, in(t, dir), "", func(backup.File) error { cancel(); return nil }, put)
	_, err2 = backup.Write(ctx, in(t, dir), "", day.AddDate(0, 0, 1), some(1).entries, nil)
	if !errors.Is(err1, context.Canceled) || !errors.Is(err2, context.Canceled) {
		t.Errorf("after the end: %v, %v", err1, err2)
	}
}

func TestStreamsThatSayWhatCantBe(t *testing.T) {
	entry := func(key, value uint64) string {
		return string(binary.AppendUvarint(binary.AppendUvarint(nil, key), value))
	}
	full := errors.New("full")
	for sent, want := range map[string]string{
		"\x00\x01":          "the stream has 0 entries and says that it has 1",
		entry(1<<20, 0):     "the stream of the index was cut off",
		entry(1<<20+1, 0):   "an entry of 1048577 and 0 bytes is none of an index",
		entry(1, 1<<30+1):   "an entry of 1 and 1073741825 bytes is none of an index",
		"\x01\x00k\x00\x01": "full",
	} {
		err := backup.Receive(strings.NewReader(sent))(func(_, _ []byte) error { return full })
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", sent, err, want)
		}
	}
	in, out := io.Pipe()
	in.CloseWithError(full)
	long := content{"k": strings.Repeat("v", 1<<19)}
	if err := backup.Send(out, long.entries); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := backup.Send(out, some(1).entries); !errors.Is(err, full) {
		t.Error(err)
	}
}
