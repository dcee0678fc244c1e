package warc

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nlnwa/gowarc"

	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/internal/testkit/corpora"
)

// corpus returns the paths of all record files under a folder of the shared corpus. It skips the test if there is no
// such folder.
func corpus(t testing.TB, folder string) []string {
	t.Helper()
	root := filepath.Join(corpora.Dir(t), folder)
	var paths []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && hasRecordSuffix(path) {
			paths = append(paths, path)
		}
		if err == nil && strings.HasSuffix(path, ".wacz") {
			members, err := Members(t.Context(), Local{}, path)
			if err != nil {
				return err
			}
			for _, m := range members {
				paths = append(paths, path+"#"+m.Path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no record files under %s", root)
	}
	return paths
}

// A reading is what one way of reading says about a record.
type reading struct {
	Offset    int64
	Version   string
	Type      string
	TargetURI string
	Length    string // of the block, as the head says
	Block     string // SHA-1 of its bytes
	size      string // of the record in the file, if the test needs it
}

func sum(t *testing.T, r io.Reader) string {
	t.Helper()
	h := sha1.New()
	if _, err := io.Copy(h, r); err != nil {
		return "after " + hex.EncodeToString(h.Sum(nil)) + ": " + err.Error()
	}
	return hex.EncodeToString(h.Sum(nil))
}

func readingOf(t *testing.T, rec *Record) reading {
	return reading{rec.Offset, rec.Version, rec.Type, rec.TargetURI, rec.Header.Get("Content-Length"), sum(t, rec.Block), ""}
}

// scanAll reads a file with Scan and reports whether it found damage.
func scanAll(t *testing.T, path string) (all []reading, damaged bool) {
	t.Helper()
	f, err := Open(t.Context(), Local{}, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	end := int64(0)
	for rec, err := range Scan(t.Context(), f, path, 0) {
		var damage *Damage
		switch {
		case errors.As(err, &damage):
			damaged = true
			if damage.File != Base(path) || strings.Contains(damage.Error(), "\n") || damage.Reason == "" {
				t.Errorf("damage should name the base name and a reason on one line: %q", damage)
			}
		case err != nil:
			t.Fatalf("%s: %v", path, err)
		default:
			if rec.Offset < end && !damaged {
				t.Fatalf("%s: record at %d, but the one before ends at %d", path, rec.Offset, end)
			}
			all = append(all, readingOf(t, rec))
			length, err := rec.Finish()
			if err == nil && length <= 0 {
				t.Errorf("%s: record at %d has length %d", path, rec.Offset, length)
			}
			if err == nil {
				all[len(all)-1].size = jsonInt(length)
			}
			end = rec.Offset + length
		}
	}
	return all, damaged
}

// gowarcAll reads a file with gowarc, set to check and repair nothing. Like its users it stops at the first error.
func gowarcAll(t *testing.T, path string) (all []reading) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gowarc.NewWarcFileReaderFromStream(f, 0, gowarc.WithNoValidation(), gowarc.WithFixSyntaxErrors(false))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, offset, _, err := r.Next()
		if err != nil {
			return all
		}
		head := rec.WarcHeader()
		raw, err := rec.Block().RawBytes()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, reading{
			offset, "WARC/" + strings.TrimPrefix(rec.Version().String(), "WARC/"), strings.ToLower(head.Get(gowarc.WarcType)),
			TrimBrackets(head.Get(gowarc.WarcTargetURI)), head.Get(gowarc.ContentLength), sum(t, raw), "",
		})
		if err := rec.Close(); err != nil {
			return all
		}
	}
}

func TestScanFindsWhatGowarcFinds(t *testing.T) {
	compared := 0
	for _, path := range corpus(t, "real") {
		if _, _, inside := CutMember(path); inside || strings.Contains(path, ".arc") {
			continue // gowarc reads neither
		}
		scanned, damaged := scanAll(t, path)
		if damaged || strings.HasSuffix(path, "missing-status-text.warc") {
			continue // each resumes elsewhere after damage; gowarc does not read lines that end in CR CR LF
		}
		compared++
		if diff := cmp.Diff(gowarcAll(t, path), scanned, cmpopts.IgnoreUnexported(reading{})); diff != "" {
			t.Errorf("%s: gowarc (-) and Scan (+) differ:\n%s", path, diff)
		}
	}
	if compared < 50 {
		t.Errorf("only %d files could be compared", compared)
	}
}

func TestStoreReadsEachRecordThatScanReads(t *testing.T) {
	records := 0
	for _, path := range corpus(t, "real") {
		scanned, _ := scanAll(t, path)
		s := NewStore(func(id cdx.FileID) (string, bool) { return path, id == 7 })
		for _, want := range scanned {
			rec, err := s.Record(t.Context(), cdx.Location{File: 7, Offset: want.Offset})
			if err != nil {
				t.Errorf("%s at %d: %v", path, want.Offset, err)
				continue
			}
			if diff := cmp.Diff(want, readingOf(t, rec), cmpopts.IgnoreUnexported(reading{})); diff != "" {
				t.Errorf("%s: Scan (-) and Store (+) differ:\n%s", path, diff)
			}
			rec.Close()
			records++
		}
		s.Close()
	}
	t.Logf("%d records", records)
}

// The reference indexes were written by another indexer. Every capture in them must be found at its offset.
func TestScanAgreesWithReferenceIndexes(t *testing.T) {
	lines := 0
	for _, path := range corpus(t, "real") {
		i := strings.Index(path, "/corpus/real/") + len("/corpus/real/")
		ref, err := os.ReadFile(path[:i] + "refcdxj/" + path[i:] + ".cdxj")
		if err != nil {
			continue
		}
		scanned, _ := scanAll(t, path)
		at := map[string]reading{}
		for _, r := range scanned {
			at[jsonInt(r.Offset)] = r
		}
		for sc := bufio.NewScanner(bytes.NewReader(ref)); sc.Scan(); lines++ {
			offset, url := jsonField(sc.Text(), "offset"), jsonField(sc.Text(), "url")
			if strings.HasSuffix(path, "bad.arc") && at[offset].Type == "" {
				continue // lines with an 18-digit date, or "abc" for a length, are damage here
			}
			if length := jsonField(sc.Text(), "length"); at[offset].size != "" && at[offset].size != length {
				t.Errorf("%s at %s: is %s bytes long, want %s", path, offset, at[offset].size, length)
			}
			if got := strings.ReplaceAll(at[offset].TargetURI, " ", "%20"); got != url {
				t.Errorf("%s at %s: is %q, want %q", path, offset, got, url)
			}
		}
	}
	if lines < 1000 {
		t.Errorf("only %d reference lines seen", lines)
	}
}

// Every capture of the generated sites must be at the offset in the reference index, have its length, and match its
// payload digest.
func TestScanAgreesWithTheIndexesOfGeneratedSites(t *testing.T) {
	for _, site := range []string{"backbone", "i18n", "lucene"} {
		t.Run(site, func(t *testing.T) {
			paths := corpus(t, site)
			ref, err := os.ReadFile(filepath.Join(filepath.Dir(paths[0]), site+".ref.cdxj"))
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]string{}
			for _, path := range paths {
				for place, uri := range captures(t, path) {
					found[place] = uri
				}
			}
			lines := 0
			for sc := bufio.NewScanner(bytes.NewReader(ref)); sc.Scan(); lines++ {
				line := sc.Text()
				place := jsonField(line, "filename") + " " + jsonField(line, "offset") + "+" + jsonField(line, "length")
				if found[place] != jsonField(line, "url") {
					t.Fatalf("at %s is %q, want %s", place, found[place], line)
				}
			}
			if lines == 0 || lines != len(found) {
				t.Errorf("%d captures found, the index has %d", len(found), lines)
			}
		})
	}
}

// captures returns the URIs of a file's captures by "name offset+length" and checks their payload digests.
func captures(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := Open(t.Context(), Local{}, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found := map[string]string{}
	for rec, err := range Scan(t.Context(), f, path, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != "response" && rec.Type != "revisit" {
			continue
		}
		uri := strings.Clone(rec.TargetURI)
		if findings, err := rec.checkDigests(); len(findings) > 0 || err != nil {
			t.Errorf("%s at %d: %v, %v", path, rec.Offset, findings, err)
		}
		length, err := rec.Finish()
		if err != nil {
			t.Fatal(err)
		}
		found[Base(path)+" "+jsonInt(rec.Offset)+"+"+jsonInt(length)] = uri
	}
	return found
}
