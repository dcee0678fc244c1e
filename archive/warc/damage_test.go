package warc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/varve-archive/varve/cdx"
)

// Each case is a file made of pieces. In a wanted line, "@1" stands for the offset of piece 1, counted from 0.
var damageTests = []struct {
	name   string
	pieces []string
	want   []string
}{
	{
		"garbage between gzip members is named once",
		[]string{gz(record("http://a/", "A")), strings.Repeat("rubbish\x1f\x8b\x08", 50), gz(record("http://b/", "B"))},
		[]string{"http://a/ at @0, block of 1", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"garbage that starts like a gzip member",
		[]string{gz(record("http://a/", "A")), "\x1f\x8b\x08\xff\xff\xff", gz(record("http://b/", "B"))},
		[]string{"http://a/ at @0, block of 1", "damage at @1: record is cut off", "http://b/ at @2, block of 1"},
	},
	{
		"garbage before the first record",
		[]string{"\x00\x01\x02 not a record\n", gz(record("http://a/", "A"))},
		[]string{"damage at @0: no record starts here", "http://a/ at @1, block of 1"},
	},
	{
		"a gzip member cut off, another behind it",
		[]string{gz(record("http://a/", strings.Repeat("abc", 99)))[:100], gz(record("http://b/", "B"))},
		[]string{"damage at @0: head can't be inflated: flate: corrupt input before offset 104", "http://b/ at @1, block of 1"},
	},
	{
		"a checksum that doesn't fit",
		[]string{wrongSum(gz(record("http://a/", "A"))), gz(record("http://b/", "B"))},
		[]string{
			"http://a/ at @0, block of 1",
			"damage at @0: record can't be inflated beyond 1 of 1 bytes of its block: gzip: invalid checksum",
			"http://b/ at @1, block of 1",
		},
	},
	{
		"Content-Length beyond the gzip member",
		[]string{
			gz(recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 999999999999", "A")),
			gz(record("http://b/", "B")),
		},
		[]string{
			"http://a/ at @0, block of 5",
			"damage at @0: block ends after 5 of the 999999999999 bytes that Content-Length says",
			"http://b/ at @1, block of 1",
		},
	},
	{
		"Content-Length short of the gzip member's end",
		[]string{gz(recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 1", "AAAA")), gz(record("http://b/", "B"))},
		[]string{
			"http://a/ at @0, block of 1",
			"damage at @0: there are bytes behind the block that its Content-Length doesn't count",
			"http://b/ at @1, block of 1",
		},
	},
	{
		"… with what would be a record in an ARC file",
		[]string{gz(recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 1",
			"Ahttp://a/ 1.2.3.4 20040101000000 text/html 3\nAAA\n"))},
		[]string{
			"http://a/ at @0, block of 1", "damage at @0: there are bytes behind the block that its Content-Length doesn't count",
		},
	},
	{
		"Content-Length that is no number",
		[]string{gz(recordWith("WARC-Date: 2014\r\nContent-Length: -5", "A")), gz(record("http://b/", "B"))},
		[]string{`damage at @0: Content-Length "-5" is not a number of bytes`, "http://b/ at @1, block of 1"},
	},
	{
		"the year 99999",
		[]string{gz(recordWith("WARC-Date: 99999-13-45T99:99:99Z\r\nContent-Length: 1", "A")), gz(record("http://b/", "B"))},
		[]string{`damage at @0: WARC-Date: no such date "99999-13-45T99:99:99Z"`, "http://b/ at @1, block of 1"},
	},
	{
		"the year 99999 and a Content-Length beyond the member are one damage",
		[]string{gz(recordWith("WARC-Date: 99999-13-45T99:99:99Z\r\nContent-Length: 99999999", "A")), gz(record("http://b/", "B"))},
		[]string{`damage at @0: WARC-Date: no such date "99999-13-45T99:99:99Z"`, "http://b/ at @1, block of 1"},
	},
	{
		"no WARC-Date",
		[]string{gz(recordWith("Content-Length: 1", "A")), gz(record("http://b/", "B"))},
		[]string{"damage at @0: has no WARC-Date", "http://b/ at @1, block of 1"},
	},
	{
		"a head of 2 MiB",
		[]string{gz("WARC/1.0\r\n" + strings.Repeat("A", 2<<20) + "\r\n\r\n"), gz(record("http://b/", "B"))},
		[]string{"damage at @0: head is longer than 1048576 bytes", "http://b/ at @1, block of 1"},
	},
	{
		"a head without an end",
		[]string{gz("WARC/1.0\r\nWARC-Type: response\r\n"), gz(record("http://b/", "B"))},
		[]string{"damage at @0: head is cut off", "http://b/ at @1, block of 1"},
	},
	{
		"a gzip member that holds something else",
		[]string{gz("<html>no record</html>"), gz(record("http://b/", "B"))},
		[]string{"damage at @0: no record starts here", "http://b/ at @1, block of 1"},
	},
	{
		"empty gzip members are nothing",
		[]string{gz(record("http://a/", "A")), gz(""), gz(record("http://b/", "B")), gz("")},
		[]string{"http://a/ at @0, block of 1", "http://b/ at @2, block of 1"},
	},
	{
		"gzip members of line ends are nothing",
		[]string{gz("\r\n"), gz(record("http://a/", "A")), gz("\r\n\r\n"), gz(record("http://b/", "B")), gz("\n")},
		[]string{"http://a/ at @1, block of 1", "http://b/ at @3, block of 1"},
	},
	{
		"a line end before a record in its member, behind rubbish",
		[]string{gz(record("http://a/", "A")), "rubbish", gz("\r\n" + record("http://b/", "B"))},
		[]string{"http://a/ at @0, block of 1", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"one gzip stream over several records is refused",
		[]string{gz(record("http://a/", "A") + record("http://b/", "B")), gz(record("http://c/", "C"))},
		[]string{"http://a/ at @0, block of 1", "damage at @0: " + ErrNotRecordCompressed.Error()},
	},
	{
		"a later member with several records is named",
		[]string{gz(record("http://a/", "A")), gz(record("http://b/", "B") + record("http://c/", "C")), gz(record("http://d/", "D"))},
		[]string{
			"http://a/ at @0, block of 1", "http://b/ at @1, block of 1",
			"damage at @1: one compressed stream holds several records, and only the first can be read at an offset",
			"http://d/ at @2, block of 1",
		},
	},
	{
		"plain: a line of text about WARC",
		[]string{record("http://a/", "A"), "WARC/1.0 is what I like\n\n", record("http://b/", "B")},
		[]string{"http://a/ at @0, block of 1", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"plain: rubbish behind a sound record",
		[]string{record("http://a/", "A"), "rubbish", record("http://b/", "B")},
		[]string{"http://a/ at @0, block of 1", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"plain: rubbish behind a record with three line ends",
		[]string{record("http://a/", "A") + "\r\n", "rubbish", record("http://b/", "B")},
		[]string{"http://a/ at @0, block of 1", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"gzip: one byte of rubbish",
		[]string{"x", gz(record("http://a/", "A"))},
		[]string{"damage at @0: no record starts here", "http://a/ at @1, block of 1"},
	},
	{
		"gzip: rubbish with a record in it",
		[]string{"rubbish\n" + record("http://quoted/", "Q"), gz(record("http://a/", "A"))},
		[]string{"damage at @0: no record starts here", "http://a/ at @1, block of 1"},
	},
	{
		"gzip: rubbish that ends as a member begins",
		[]string{gz(record("http://a/", "A")), "rubbish\x1f\x8b\x08"},
		[]string{"http://a/ at @0, block of 1", "damage at @1: no record starts here"},
	},
	{
		"gzip: a record without a date, with a member in its block",
		[]string{
			storedGz(recordWith(fmt.Sprint("WARC-Target-URI: http://a/\r\nContent-Length: ", len(gz(record("http://quoted/", "Q")))),
				gz(record("http://quoted/", "Q")))),
			gz(record("http://b/", "B")),
		},
		[]string{"damage at @0: has no WARC-Date", "http://b/ at @1, block of 1"},
	},
	{
		"gzip: rubbish with a line of an ARC file in it",
		[]string{
			gz("filedesc://x.arc 0.0.0.0 20040101000000 text/plain 3\nABC\n"),
			"rubbish\nhttp://quoted/ 1.2.3.4 20040101000000 text/html 1\nQ\n", gz("http://b/ 1.2.3.4 20040101000000 text/html 1\nB\n"),
		},
		[]string{"filedesc://x.arc at @0, block of 3", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"ARC: a malformed first line",
		[]string{"filedesc://x.arc 0.0.0.0 2004 text/plain 3\nABC\n", "http://b/ 1.2.3.4 20040101000000 text/html 1\nB\n"},
		[]string{
			`damage at @0: ARC line has no date of 12 to 14 digits: "filedesc://x.arc 0.0.0.0 2004 text/plain 3"`, "http://b/ at @1, block of 1",
		},
	},
	{
		"plain: versions before 1.0 behind rubbish",
		[]string{"rubbish\n", draft(record("http://a/", "A")), "rubbish\n", draft(record("http://b/", "B"))},
		[]string{
			"damage at @0: no record starts here", "http://a/ at @1, block of 1",
			"damage at @2: no record starts here", "http://b/ at @3, block of 1",
		},
	},
	{
		"plain: a head cut off by the next record",
		[]string{"WARC/1.0\r\nWARC-Type: response\r\n", record("http://b/", "B")},
		[]string{"damage at @0: head is cut off", "http://b/ at @1, block of 1"},
	},
	{
		"plain: Content-Length beyond the file gives the next record back",
		[]string{recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 99999", "A"), record("http://b/", "B")},
		[]string{
			"http://a/ at @0, block of 1",
			"damage at @0: Content-Length 99999 reaches beyond the end of the file",
			"http://b/ at @1, block of 1",
		},
	},
	{
		"plain: Content-Length that leads into the next record",
		[]string{recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 50", "A"), record("http://b/", "B")},
		[]string{
			"http://a/ at @0, block of 1",
			"damage at @0: Content-Length 50 doesn't lead to the next record",
			"http://b/ at @1, block of 1",
		},
	},
	{
		"plain: Content-Length that leads to a line of the next record's head",
		[]string{
			recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 36", "A"), record("http://b/", "B"),
		},
		[]string{
			"http://a/ at @0, block of 1", "damage at @0: Content-Length 36 doesn't lead to the next record", "http://b/ at @1, block of 1",
		},
	},
	{
		"plain: Content-Length that leads over several records",
		[]string{
			recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 70000", "A"), record("http://b/", "B"),
			record("http://c/", strings.Repeat("C", 70_000)), record("http://d/", "D"),
		},
		[]string{
			"http://a/ at @0, block of 1", "damage at @0: Content-Length 70000 doesn't lead to the next record",
			"http://b/ at @1, block of 1", "http://c/ at @2, block of 70000", "http://d/ at @3, block of 1",
		},
	},
	{
		"plain: a Content-Length that is right, with a record inside, and rubbish behind",
		[]string{record("http://a/", record("http://quoted/", "Q")), "rubbish", record("http://b/", "B")},
		[]string{"http://a/ at @0, block of 173", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"plain: Content-Length too small",
		[]string{recordWith("WARC-Target-URI: http://a/\r\nWARC-Date: 2014\r\nContent-Length: 2", "AAAAAA"), record("http://b/", "B")},
		[]string{
			"http://a/ at @0, block of 2",
			"damage at @0: Content-Length 2 doesn't lead to the next record",
			"http://b/ at @1, block of 1",
		},
	},
	{
		"plain: records without line ends between them",
		[]string{strings.TrimRight(record("http://a/", "A"), "\r\n"), record("http://b/", "B")},
		[]string{"http://a/ at @0, block of 1", "http://b/ at @1, block of 1"},
	},
	{
		"plain: cut off in its block",
		[]string{record("http://a/", "A"), strings.TrimSuffix(record("http://b/", "BBBB"), "BB\r\n\r\n")},
		[]string{
			"http://a/ at @0, block of 1", "http://b/ at @1, block of 2",
			"damage at @1: Content-Length 4 reaches beyond the end of the file",
		},
	},
	{
		"plain: cut off in its block, which ends as a record does",
		[]string{
			record("http://a/", "A"), recordWith("WARC-Target-URI: http://b/\r\nWARC-Date: 2014\r\nContent-Length: 9", "B"),
		},
		[]string{
			"http://a/ at @0, block of 1", "http://b/ at @1, block of 5",
			"damage at @1: Content-Length 9 reaches beyond the end of the file",
		},
	},
	{
		"zstd: garbage between frames",
		[]string{zst(record("http://a/", "A")), "garbage", zst(record("http://b/", "B"))},
		[]string{"http://a/ at @0, block of 1", "damage at @1: no record starts here", "http://b/ at @2, block of 1"},
	},
	{
		"zstd: a frame cut off",
		[]string{zst(record("http://a/", "A")), zst(record("http://b/", "B"))[:60]},
		[]string{"http://a/ at @0, block of 1", "damage at @1: record is cut off"},
	},
	{
		"ARC: a malformed line",
		[]string{
			"filedesc://x.arc 0.0.0.0 20040101000000 text/plain 3\nABC\n", "http://a/ 1.2.3.4 20041 text/html 1\nA\n",
			"http://b/ 1.2.3.4 20040101000000 text/html 1\nB\n",
		},
		[]string{
			"filedesc://x.arc at @0, block of 3",
			`damage at @1: ARC line has no date of 12 to 14 digits: "http://a/ 1.2.3.4 20041 text/html 1"`,
			"http://b/ at @2, block of 1",
		},
	},
	{
		"ARC: a length that leads astray",
		[]string{
			"http://a/ 1.2.3.4 20040101000000 text/html 7\nA\n", "http://b/ 1.2.3.4 20040101000000 text/html 1\nB\n",
		},
		[]string{
			"http://a/ at @0, block of 2", "damage at @0: Content-Length 7 doesn't lead to the next record", "http://b/ at @1, block of 1",
		},
	},
}

// draft turns a record into one of the last draft before WARC/1.0.
func draft(record string) string { return strings.Replace(record, "WARC/1.1", "WARC/0.18", 1) }

// wrongSum changes a gzip member's CRC.
func wrongSum(member string) string {
	b := []byte(member)
	b[len(b)-5] ^= 1
	return string(b)
}

func TestScanGoesOnBehindDamage(t *testing.T) {
	for _, tt := range damageTests {
		t.Run(tt.name, func(t *testing.T) {
			want := placed(tt.pieces, tt.want)
			if diff := cmp.Diff(want, walk(t, strings.Join(tt.pieces, ""), "x.warc.gz")); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

// storedGz is a gzip member whose content isn't compressed.
func storedGz(s string) string {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

// Where the beginning of a file can't be read, its name says what records look like.
func TestTheNameTellsWhatIsLookedForBehindRubbish(t *testing.T) {
	plainly, packed := record("http://plain/", "P"), gz(record("http://packed/", "G"))
	for name, want := range map[string]string{
		"x.warc": "http://plain/", "x.warc.gz": "http://packed/", "x.arc": "http://plain/", "x": "http://packed/",
	} {
		lines := walk(t, "rubbish\n"+packed+plainly, name)
		if len(lines) < 2 || !strings.HasPrefix(lines[1], want) {
			t.Errorf("%s: %q, want %s behind the rubbish", name, lines, want)
		}
	}
}

// However a block that ended too early is read once more, it says so again.
func TestABlockThatIsCutOffStaysSo(t *testing.T) {
	for name, content := range map[string]string{
		"gzip": gz(strings.TrimSuffix(record("http://a/", "AAAA"), "AA\r\n\r\n")),
		"zstd": zst(strings.TrimSuffix(record("http://a/", "AAAA"), "AA\r\n\r\n")),
	} {
		for rec, err := range Scan(t.Context(), inMemory([]byte(content)), "x", 0) {
			if rec == nil {
				break
			}
			var damage *Damage
			if all, err := io.ReadAll(rec.Block); string(all) != "AA" || !errors.As(err, &damage) {
				t.Errorf("%s: read %q, %v", name, all, err)
			}
			_, peeked := rec.Block.Peek(1)
			_, sliced := rec.Block.ReadSlice('\n')
			_, written := rec.Block.WriteTo(io.Discard)
			_, finished := rec.Finish()
			for _, again := range []error{peeked, sliced, written, finished} {
				if again == nil || again != error(damage) {
					t.Errorf("%s: read once more: %v", name, again)
				}
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A few flipped bits must not cost any record but those they hit.
func TestScanLosesOnlyTheRecordsThatWereHit(t *testing.T) {
	for name, pack := range map[string]func(string) string{
		"gzip":  gz,
		"zstd":  func(s string) string { return zst(s) },
		"plain": func(s string) string { return s },
	} {
		t.Run(name, func(t *testing.T) { flipBits(t, pack) })
	}
}

func flipBits(t *testing.T, pack func(string) string) {
	const records = 40
	random := rand.New(rand.NewPCG(1, 2))
	var whole []byte
	var starts []int
	for i := range records {
		starts = append(starts, len(whole))
		block := make([]byte, 200)
		for j := range block {
			block[j] = byte(random.Uint32())
		}
		whole = append(whole, pack(record(fmt.Sprintf("http://x/%d", i), string(block)))...)
	}
	for round := range 300 {
		file := bytes.Clone(whole)
		hit := map[int]bool{}
		for range 5 {
			at := random.IntN(len(file))
			file[at] ^= 1 << random.IntN(8)
			for i := range starts {
				if starts[i] <= at && (i == records-1 || at < starts[i+1]) {
					hit[i] = true
				}
			}
		}
		found := strings.Join(walk(t, string(file), "x"), "\n") + "\n"
		for i := range records {
			if !hit[i] && !strings.Contains(found, fmt.Sprintf("http://x/%d at %d, block of 200\n", i, starts[i])) {
				t.Fatalf("round %d: record %d was lost, though only %v were hit:\n%s", round, i, hit, found)
			}
		}
	}
}

func TestZipBombIsReadInBoundedMemory(t *testing.T) {
	const size = 128 << 20
	var member bytes.Buffer
	w, _ := gzip.NewWriterLevel(&member, gzip.BestSpeed)
	fmt.Fprintf(w, "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Date: 2014\r\nContent-Length: %d\r\n\r\n", size)
	zeros := make([]byte, 1<<20)
	for range size / len(zeros) {
		_, _ = w.Write(zeros)
	}
	_ = w.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lines := walk(t, member.String()+gz(record("http://b/", "B")), "bomb.warc.gz")
	runtime.ReadMemStats(&after)
	want := []string{fmt.Sprintf(" at 0, block of %d", size), fmt.Sprintf("http://b/ at %d, block of 1", member.Len())}
	if !cmp.Equal(want, lines) {
		t.Errorf("got %q, want %q", lines, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("reading it took %d bytes of memory", used)
	}
}

func TestScanEndsWhenItsContextDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	file := strings.Repeat(gz(record("http://a/", strings.Repeat("A", 5000))), 20000)
	seen := 0
	var last error
	for _, err := range Scan(ctx, inMemory([]byte(file)), "x.warc.gz", 0) {
		seen++
		last = err
		cancel()
	}
	if !errors.Is(last, context.Canceled) || seen > 10000 {
		t.Errorf("after %d records: %v", seen, last)
	}
}

// A failing disk isn't damage, because the file may be sound.
func TestScanEndsWhenTheDiskFails(t *testing.T) {
	f := failing{inMemory([]byte(strings.Repeat(gz(record("http://a/", "A")), 1000)))}
	var last error
	for _, err := range Scan(t.Context(), f, "/secret/x.warc.gz", 0) {
		last = err
	}
	if want := "x.warc.gz: file is missing or unreadable: input/output error"; last == nil || last.Error() != want {
		t.Errorf("got %v, want %s", last, want)
	}
}

// A dictionary that can't be read at the moment is no damage either, and is read again for the next record.
func TestADictionaryThatCannotBeRead(t *testing.T) {
	content := skippableFrame(zstdDictionaryFrame, "WARC/1.1") + zst(record("http://a/", "A"), zstd.WithEncoderDictRaw(0, []byte("WARC/1.1")))
	for at, what := range map[int64]string{0: "its length", 8: "the dictionary"} {
		s := NewStoreOn(&onceFailing{content: content, at: at}, func(cdx.FileID) (string, bool) { return "a.warc.zst", true })
		defer s.Close()
		loc := cdx.Location{Offset: int64(len(skippableFrame(zstdDictionaryFrame, "WARC/1.1")))}
		if _, err := s.Record(t.Context(), loc); !errors.Is(err, ErrFileMissing) {
			t.Errorf("%s can't be read: %v", what, err)
		}
		rec, err := s.Record(t.Context(), loc)
		if err != nil {
			t.Errorf("after %s could not be read: %v", what, err)
			continue
		}
		rec.Close()
	}
}

// onceFailing is a storage with one file, whose first read at an offset fails.
type onceFailing struct {
	Local
	content string
	at      int64
	failed  bool
}

func (s *onceFailing) Stat(_ context.Context, path string) (Entry, error) {
	return Entry{Path: path}, nil
}

func (s *onceFailing) Open(context.Context, string) (File, error) {
	return onceFailingFile{inMemory([]byte(s.content)), s}, nil
}

type onceFailingFile struct {
	File
	of *onceFailing
}

func (f onceFailingFile) ReadAt(p []byte, offset int64) (int, error) {
	if offset == f.of.at && !f.of.failed {
		f.of.failed = true
		return 0, errors.New("the network is away")
	}
	return f.File.ReadAt(p, offset)
}

type failing struct{ File }

func (f failing) ReadAt(p []byte, offset int64) (int, error) {
	if offset > 70000 {
		return 0, &os.PathError{Op: "read", Path: "/secret/x.warc.gz", Err: errors.New("input/output error")}
	}
	return f.File.ReadAt(p, offset)
}

// A record read at its offset ends where the next one starts, as in a scan, whatever its Content-Length says.
func TestStoreReadsNoBytesOfTheNextRecord(t *testing.T) {
	const arc = "http://a/ 1.2.3.4 20040101000000 text/html 50\nA\nhttp://b/ 1.2.3.4 20040101000000 text/html 60\n"
	for name, tt := range map[string]struct {
		file, want string
		whole      bool
	}{
		"WARC": {recordWith("WARC-Date: 2014\r\nContent-Length: 50", "A") + record("http://b/", strings.Repeat("B", 1e5)), "A", true},
		"cut off": {
			strings.TrimSpace(recordWith("WARC-Date: 2014\r\nContent-Length: 50", "A")) + record("http://b/", strings.Repeat("B", 1e5)), "A", false,
		},
		"ARC": {arc + strings.Repeat("B", 60) + "\n", "A\n", false},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
			t.Fatal(err)
		}
		s := NewStore(func(cdx.FileID) (string, bool) { return path, true })
		defer s.Close()
		for _, length := range []int64{0, 100, 1 << 20} {
			rec, err := s.Record(t.Context(), cdx.Location{Length: length})
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(rec.Block)
			if string(got) != tt.want || err != nil {
				t.Errorf("%s, length %d: %q, %v", name, length, got, err)
			}
			if _, err := rec.Finish(); err == nil || errors.Is(err, io.ErrUnexpectedEOF) == tt.whole || tt.whole != (rec.ContentLength == 1) {
				t.Errorf("%s: %d bytes, %v", name, rec.ContentLength, err)
			}
			rec.Close()
		}
	}
}

func TestStoreNamesWhatItCannotRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.warc.gz")
	good := gz(record("http://a/", "AAA"))
	if err := os.WriteFile(path, []byte(good+gz(record("http://b/", strings.Repeat("B", 4000)))[:100]), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.warc.gz")
	if err := os.WriteFile(empty, []byte(gz("")), 0o600); err != nil {
		t.Fatal(err)
	}
	s := NewStore(func(id cdx.FileID) (string, bool) {
		return [...]string{"", path, filepath.Join(dir, "gone.warc.gz"), empty}[id], id != 0
	})
	defer s.Close()
	for _, tt := range []struct {
		name    string
		loc     cdx.Location
		want    string
		missing bool
	}{
		{"a file that isn't known", cdx.Location{}, "file 0: file is missing or unreadable", true},
		{"a file that is gone", cdx.Location{File: 2}, "gone.warc.gz: file is missing or unreadable: no such file or directory", true},
		{
			"an offset behind the end",
			cdx.Location{File: 1, Offset: 1 << 40},
			"x.warc.gz: damaged at byte 1099511627776: offset lies behind the file's end", false,
		},
		{"an empty member", cdx.Location{File: 3}, "empty.warc.gz: damaged at byte 0: compressed member is empty", false},
		{"an offset within a record", cdx.Location{File: 1, Offset: 5}, "x.warc.gz: damaged at byte 5: no record starts here", false},
		{
			"a record that is cut off",
			cdx.Location{File: 1, Offset: int64(len(good))},
			fmt.Sprintf("x.warc.gz: damaged at byte %d: head is cut off", len(good)), false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.Record(t.Context(), tt.loc)
			if err == nil || err.Error() != tt.want || errors.Is(err, ErrFileMissing) != tt.missing {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	rec, err := s.Record(t.Context(), cdx.Location{File: 1, Length: int64(len(good))})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(rec.Block); string(b) != "AAA" || err != nil {
		t.Errorf("after all that the good record reads %q, %v", b, err)
	}
	rec.Close()
	rec.Close()
	if _, err := rec.Block.Read(make([]byte, 1)); err == nil {
		t.Error("a closed record can still be read")
	}
}
