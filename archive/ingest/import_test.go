package ingest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/warc"
)

// lines returns CDX lines for these pages of a file, whether or not the file has them.
func lines(name string, paths ...string) string {
	out := " CDX N b a m s k r M S V g\n"
	for i, p := range paths {
		out += fmt.Sprintf("com,example)/%s 20140101000000 http://example.com/%s text/html 200 - - - 100 %d %s\n", p, p, i*1000, name)
	}
	return out
}

func TestAnIndexIsImported(t *testing.T) {
	t.Parallel()
	one := file("one", page("a", "alpha"), page("b", "beta"))
	for name, test := range map[string]func(b *bench){
		"its file is nowhere": func(b *bench) {
			b.shelf.put("x.cdx", lines("one.warc.gz", "a", "b", "c"))
			p := b.named("x.cdx")
			b.shows("a one.warc.gz", "b one.warc.gz", "c one.warc.gz")
			f := b.known("one.warc.gz")
			if !f.Imported || !f.Done || f.Path != "" || f.Captures != 3 {
				b.t.Errorf("the index knows %+v", f)
			}
			if x := b.known("x.cdx"); !x.Done || x.Scanned != x.Size || x.Records != 3 || x.Format != "CDX" {
				b.t.Errorf("of the index file it knows %+v", x)
			}
			if p.Captures.Load() != 3 || p.Bytes.Load() != p.TotalBytes.Load() || p.Bytes.Load() == 0 {
				b.t.Errorf("progress: %d captures, %d of %d bytes", p.Captures.Load(), p.Bytes.Load(), p.TotalBytes.Load())
			}
			b.named("x.cdx")
			b.shows("a one.warc.gz", "b one.warc.gz", "c one.warc.gz")
		},
		"it grows, and another repeats it": func(b *bench) {
			b.shelf.put("x.cdx", lines("one.warc.gz", "a", "b"))
			b.named("x.cdx")
			b.shelf.put("x.cdx", lines("one.warc.gz", "a", "b", "c"))
			b.named("x.cdx")
			if x := b.known("x.cdx"); x.Records != 3 || x.Damaged != 0 {
				b.t.Errorf("of the index file it knows %+v", x)
			}
			b.shelf.put("y.cdx", lines("one.warc.gz", "a", "b", "c", "d", "d"))
			b.named("y.cdx")
			b.shows("a one.warc.gz", "b one.warc.gz", "c one.warc.gz", "d one.warc.gz", "d one.warc.gz")
			if f := b.known("one.warc.gz"); f.Captures != 5 {
				b.t.Errorf("the index knows %+v", f)
			}
		},
		"it is rewritten behind its beginning": func(b *bench) {
			for _, last := range []string{"y", "z"} {
				b.shelf.put("x.cdx", lines("one.warc.gz", append(slices.Repeat([]string{"a"}, headLen/64), last)...))
				b.named("x.cdx")
			}
			if f := b.known("one.warc.gz"); f.Captures != headLen/64+2 {
				b.t.Errorf("the index knows %+v", f)
			}
			b.named("x.cdx")
		},
		"its file comes later": func(b *bench) {
			b.shelf.put("x.cdx", lines("one.warc.gz", "a", "b"))
			b.named("x.cdx")
			id := b.known("one.warc.gz").ID
			b.shelf.put("later/one.warc.gz", one)
			b.run(1)
			f := b.known("one.warc.gz")
			if f.ID != id || f.Imported || !strings.HasSuffix(f.Path, "later/one.warc.gz") {
				b.t.Errorf("the index knows %+v", f)
			}
		},
		"its file comes later, compressed as a whole": func(b *bench) {
			b.shelf.put("x.cdx", lines("one.warc.gz", "a", "b"))
			b.named("x.cdx")
			b.shelf.put("later/one.warc.gz", pack(record("warcinfo", "", "software: one\r\n")+page("a", "alpha")))
			b.problems = nil
			if _, err := Run(b.t.Context(), b.config(), []string{b.shelf.folder() + "/later"}); err != nil || len(b.problems) != 1 {
				b.t.Errorf("problems %q, %v", b.problems, err)
			}
			b.shows("a one.warc.gz", "b one.warc.gz")
		},
		"its file is indexed already": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			b.shelf.put("x.cdx", lines("one.warc.gz", "z"))
			b.named("x.cdx")
			b.shows("a one.warc.gz", "b one.warc.gz")
		},
		"lines that say nothing": func(b *bench) {
			content := lines("one.warc.gz", "a") + "com,example)/b 20140101000000 http://example.com/b text/html 200 - - - 100 0 -\nnonsense\n"
			b.shelf.put("x.cdx", content)
			b.named("x.cdx")
			b.shows("a one.warc.gz")
			if x := b.known("x.cdx"); x.Damaged != 2 || len(b.problems) != 2 {
				b.t.Errorf("%d damaged lines, problems %q", x.Damaged, b.problems)
			}
		},
	} {
		t.Run(name, func(t *testing.T) { onEachShelf(t, func(t *testing.T, s shelf) { test(newBench(t, s)) }) })
	}
	for _, place := range []string{"one.warc.gz", "../one.warc.gz", "../archive/one.warc.gz", "../warcs/one.warc.gz", "warc/one.warc.gz"} {
		t.Run("its file is at "+place, func(t *testing.T) {
			onEachShelf(t, func(t *testing.T, s shelf) {
				b := newBench(t, s)
				s.put("in/x.cdx", lines(strings.TrimPrefix(strings.TrimPrefix(place, "../archive/"), "../"), "a", "b", "gone"))
				s.put(strings.TrimPrefix("in/"+place, "in/../"), one)
				b.named("in/x.cdx")
				f := b.known("one.warc.gz")
				if f.Imported || !f.Done || f.Path == "" || f.Captures != 2 || f.Scanned != int64(len(one)) {
					t.Errorf("the index knows %+v", f)
				}
			})
		})
	}
}

// A file that two index files name has one entry, even if both reach its name at the same time.
func TestIndexesThatNameTheSameFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, shelves["local"](t))
	b.store = struct{ kv.Store }{b.store} // one that only this process writes to
	b.open()
	for _, name := range []string{"x.cdx", "y.cdx"} {
		b.shelf.put(name, lines("one.warc.gz", "a", "b"))
	}
	cfg, met := b.config(), make(chan bool)
	cfg.Where = func(string) string {
		select {
		case met <- true:
		case <-met:
		case <-time.After(100 * time.Millisecond): // the other one waits
		}
		return ""
	}
	if _, err := Run(t.Context(), cfg, []string{b.shelf.folder() + "/x.cdx", b.shelf.folder() + "/y.cdx"}); err != nil {
		t.Fatal(err)
	}
	b.shows("a one.warc.gz", "b one.warc.gz")
	if f := b.known("one.warc.gz"); f.Captures != 2 {
		t.Errorf("the index knows %+v", f)
	}
}

// named indexes one file by its name.
func (b *bench) named(name string) *Progress {
	b.t.Helper()
	b.problems = nil
	p, err := Run(b.t.Context(), b.config(), []string{b.shelf.folder() + "/" + name})
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func TestAClusterIsImported(t *testing.T) {
	t.Parallel()
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		part := pack(strings.TrimPrefix(lines("one.warc.gz", "a", "b"), " CDX N b a m s k r M S V g\n"))
		s.put("x.idx", fmt.Sprintf("com,example)/a 20140101000000\tpart-0\t0\t%d\t1\n", len(part)))
		s.put("part-0.cdx.gz", part)
		p := b.named("x.idx")
		b.wantProblems()
		b.shows("a one.warc.gz", "b one.warc.gz")
		if p.Bytes.Load() != p.TotalBytes.Load() {
			t.Errorf("%d of %d bytes", p.Bytes.Load(), p.TotalBytes.Load())
		}
		s.remove("part-0.cdx.gz")
		s.put("y.idx", fmt.Sprintf("com,example)/a 20140101000000\tpart-0\t0\t%d\t1\n", len(part)))
		b.named("y.idx")
		if len(b.problems) != 1 || !strings.Contains(b.problems[0], `part "part-0" of the cluster`) {
			t.Errorf("problems %q", b.problems)
		}
	})
}

// zipped returns the bytes of a WACZ.
func zipped(t *testing.T, method uint16, members map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, content := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A member that is said to be longer than the file around it is indexed as far as it goes.
func TestAMemberThatIsCutOff(t *testing.T) {
	t.Parallel()
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		wacz := []byte(zipped(t, zip.Store, map[string]string{"archive/one.warc.gz": file("one", page("a", "alpha"))}))
		listed := bytes.Index(wacz, []byte("PK\x01\x02"))
		for _, field := range []int{20, 24} { // the sizes, compressed and not
			binary.LittleEndian.PutUint32(wacz[listed+field:], 1<<20)
		}
		s.put("c.wacz", string(wacz))
		b.named("c.wacz")
		b.shows("a one.warc.gz")
		if f := b.known("one.warc.gz"); !f.Done || f.Sum != "" {
			t.Errorf("the index knows %+v", f)
		}
	})
}

func TestPathsThatAreOfNoUse(t *testing.T) {
	t.Parallel()
	onEachShelf(t, func(t *testing.T, s shelf) {
		for _, name := range []string{"in/deep/a.warc.gz", "in/notes", "others/notes", "c.wacz"} {
			s.put(name, "x")
		}
		var paths, got []string
		for _, name := range []string{"in", "in/deep/*.gz", "in/notes", "others", "in/*.arc", "none", "c.wacz#archive/a.warc", "no.wacz#a.warc"} {
			paths = append(paths, s.folder()+"/"+name)
		}
		for _, p := range Unusable(t.Context(), s, paths) {
			reason, _, _ := strings.Cut(p.Reason, ":")
			if reason == "mem" { // the path error of a bucket
				reason = "can't be read"
			}
			got = append(got, strings.TrimPrefix(p.File, s.folder()+"/")+": "+reason)
		}
		want := []string{
			"others: it holds nothing that is tried", "in/*.arc: no file matches this pattern", "none: can't be read",
			"no.wacz#a.warc: can't be read",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	if bad := Unusable(t.Context(), nil, []string{t.TempDir(), "import_test.go"}); len(bad) != 1 {
		t.Errorf("on this machine: %v", bad)
	}
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "gone.warc")); err != nil {
		t.Fatal(err)
	}
	if bad := Unusable(t.Context(), nil, []string{dir}); len(bad) != 1 || !strings.Contains(bad[0].Reason, "gone.warc: no such file") {
		t.Errorf("a link to nowhere: %v", bad)
	}
}

// A closedShelf is a storage that answers nobody.
type closedShelf struct{ warc.Local }

func (closedShelf) Find(context.Context, string) ([]string, error) { return nil, fs.ErrPermission }

// A barredShelf is a storage whose folders can't be listed.
type barredShelf struct{ warc.Local }

func (barredShelf) List(_ context.Context, folder string, _ func(string) bool) iter.Seq2[warc.Entry, error] {
	return func(yield func(warc.Entry, error) bool) { yield(warc.Entry{Path: folder}, fs.ErrPermission) }
}

// Why a storage doesn't say what there is matters more than that nothing was found.
func TestStoragesThatDoNotSayWhatTheyHave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, storage := range map[string]warc.Storage{"found": closedShelf{}, "listed": barredShelf{}} {
		bad := Unusable(t.Context(), storage, []string{dir})
		if len(bad) != 1 || !strings.Contains(bad[0].Reason, fs.ErrPermission.Error()) {
			t.Errorf("nothing can be %s: %v", name, bad)
		}
	}
	var said []string
	cfg := Config{Storage: closedShelf{}, Report: func(p Problem) { said = append(said, p.Reason) }}
	newRun(cfg).expand(t.Context(), dir+"/*.warc")
	if len(said) != 1 || said[0] != fs.ErrPermission.Error() {
		t.Errorf("a run says %q", said)
	}
}

// Whoever wants to hear nothing gets no less indexed.
func TestOnlyAnIndexAndACollectionAreNeeded(t *testing.T) {
	t.Parallel()
	s := &localShelf{t: t, dir: t.TempDir()}
	s.put("a.warc.gz", file("one", page("a", "alpha")))
	s.put("b.warc.gz", "broken")
	b := newBench(t, s)
	p, err := Run(t.Context(), Config{Index: b.x, Collection: "web"}, []string{s.dir})
	if err != nil || p.Files.Load() != 2 || p.Problems.Load() != 1 {
		t.Errorf("%d files, %d problems, %v", p.Files.Load(), p.Problems.Load(), err)
	}
	b.shows("a a.warc.gz")
}

func TestWhatIsFound(t *testing.T) {
	t.Parallel()
	one := file("one", page("a", "alpha"))
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		s.put("in/a.warc.gz", one)
		s.put("in/B.WARC", record("warcinfo", "", "b")+page("b", "beta"))
		s.put("in/c.wacz", zipped(t, zip.Store, map[string]string{"archive/c.warc.gz": file("c", page("c", "gamma")), "pages/pages.jsonl": "{}"}))
		s.put("in/all.wacz", zipped(t, zip.Store, map[string]string{
			"one.wacz": zipped(t, zip.Store, map[string]string{"archive/d.warc.gz": file("d", page("d", "delta"))}), "datapackage.json": "{}",
		}))
		s.put("in/empty.wacz", zipped(t, zip.Store, map[string]string{"pages/pages.jsonl": "{}"}))
		s.put("in/deflated.wacz", zipped(t, zip.Deflate, map[string]string{"archive/d.warc.gz": one}))
		s.put("in/broken.wacz", "PK no zip")
		s.put("in/z.cdx", lines("one.warc.gz", "z")) // not looked for in folders
		b.run(4,
			"in/broken.wacz: broken.wacz: not a readable WACZ: zip: not a valid zip file",
			`in/deflated.wacz#archive/d.warc.gz: deflated.wacz: member "archive/d.warc.gz" is deflated; `+
				"only stored members can be read in place (varve index --unpack DIR writes it once more, unpacked): unsupported operation",
			"in/empty.wacz: holds no WARC file",
		)
		b.shows("a a.warc.gz", "b B.WARC", "c c.warc.gz", "d d.warc.gz")
	})
	for name, c := range map[string]struct {
		names []string
		want  []string
		wrong string
	}{
		"a pattern":                    {[]string{"in/*.warc.gz"}, []string{"in/a.warc.gz", "in/b.warc.gz"}, ""},
		"a pattern of nothing":         {[]string{"in/*.arc"}, nil, "in/*.arc: no file matches this pattern"},
		"a pattern that is none":       {[]string{"in/[.arc"}, nil, "in/[.arc: syntax error in pattern"},
		"a file that is not there":     {[]string{"in/no.warc.gz"}, nil, "in/no.warc.gz: "},
		"a file and its folder":        {[]string{"in/b.warc.gz", "in", "in/a.warc.gz"}, []string{"in/a.warc.gz", "in/b.warc.gz"}, ""},
		"a file of whatever name":      {[]string{"in/notes"}, []string{"in/notes"}, ""},
		"folders, sorted by file name": {[]string{"z", "in"}, []string{"in/a.warc.gz", "z/a.warc.gz", "in/b.warc.gz"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			onEachShelf(t, func(t *testing.T, s shelf) {
				for _, name := range []string{"in/a.warc.gz", "in/b.warc.gz", "in/notes", "z/a.warc.gz"} {
					s.put(name, one)
				}
				b := newBench(t, s)
				var names, got []string
				for _, n := range c.names {
					names = append(names, s.folder()+"/"+n)
				}
				for _, f := range newRun(b.config()).discover(t.Context(), names) {
					got = append(got, strings.TrimPrefix(f.path, s.folder()+"/"))
				}
				if fmt.Sprint(got) != fmt.Sprint(c.want) {
					t.Errorf("found %q, want %q", got, c.want)
				}
				if problems := strings.Join(b.problems, "\n"); !strings.HasPrefix(problems, c.wrong) || c.wrong == "" && problems != "" {
					t.Errorf("problems %q, want %q", problems, c.wrong)
				}
			})
		})
	}
}

// Files that can be read only unpacked are indexed from where they were unpacked to, and looked at again only if they changed.
func TestFilesAreUnpacked(t *testing.T) {
	t.Parallel()
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		s.put("in/whole.warc.gz", pack(page("a", "alpha")+page("b", "beta")))
		s.put("in/good.warc.gz", file("good", page("c", "gamma")))
		s.put("side/whole.warc", page("a", "alpha")+page("b", "beta"))
		var asked []string
		index := func(files int64, problems ...string) {
			t.Helper()
			asked, b.problems = nil, nil
			cfg := b.config()
			cfg.Unpack = func(_ context.Context, path string) (string, error) {
				asked = append(asked, strings.TrimPrefix(path, s.folder()+"/"))
				switch {
				case strings.HasSuffix(path, "whole.warc.gz"):
					return s.folder() + "/side/whole.warc", nil
				case strings.HasSuffix(path, "lost.warc.gz"):
					return s.folder() + "/side/nowhere.warc", nil
				case strings.HasSuffix(path, "bad.warc.gz"):
					return "", errors.New("the disk is full")
				}
				return path, nil
			}
			p, err := Run(t.Context(), cfg, []string{s.folder() + "/in"})
			if err != nil || p.Files.Load() != files {
				t.Errorf("%d files, want %d: %v", p.Files.Load(), files, err)
			}
			for i, problem := range b.problems {
				if i >= len(problems) || !strings.HasPrefix(problem, problems[i]) {
					t.Errorf("problem %q", problem)
				}
			}
		}
		index(2)
		b.shows("a whole.warc", "b whole.warc", "c good.warc.gz")
		index(0)
		if fmt.Sprint(asked) != "[in/whole.warc.gz]" {
			t.Errorf("asked about %v, which have not changed", asked)
		}
		s.put("in/bad.warc.gz", "x")
		index(0, "in/bad.warc.gz: the disk is full")
		s.remove("in/bad.warc.gz")
		s.put("in/lost.warc.gz", "x")
		index(0, "side/nowhere.warc: ")
	})
}

// The folder of unpacked copies may be in the folder of the files, before or behind them: varve index . does that.
func TestCopiesAmongTheirFilesAreIndexedOnce(t *testing.T) {
	t.Parallel()
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		cfg := b.config()
		cfg.Unpack = func(_ context.Context, path string) (string, error) {
			switch whole, _ := strings.CutPrefix(path, s.folder()+"/"); whole {
			case "a.warc.gz", "z\xe9.warc.gz":
				return s.folder() + "/m/" + whole[:1] + ".warc", nil
			}
			return path, nil
		}
		for name, packed := range map[string]string{"a": "a.warc.gz", "z": "z\xe9.warc.gz"} {
			s.put(packed, pack(page(name, "alpha")+page(name+name, "beta")))
			s.put("m/"+name+".warc", page(name, "alpha")+page(name+name, "beta"))
		}
		for range 2 {
			if _, err := Run(t.Context(), cfg, []string{s.folder()}); err != nil {
				t.Fatal(err)
			}
			b.shows("a a.warc", "aa a.warc", "z z.warc", "zz z.warc")
			if a, z := b.known("a.warc"), b.known("z.warc"); a.Source != s.folder()+"/a.warc.gz" || z.Source != s.folder()+"/z\xe9.warc.gz" {
				t.Errorf("they are of %q and %q", a.Source, z.Source)
			}
		}
	})
}

// What was read of an unpacked copy goes where the stored file goes: it is found elsewhere, read as it is, unpacked again, or deleted.
func TestUnpackedCopiesGoWithTheirFiles(t *testing.T) {
	t.Parallel()
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		cfg := b.config()
		copies := map[string]string{} // by path in the folder
		cfg.Unpack = func(_ context.Context, path string) (string, error) {
			if side := copies[strings.TrimPrefix(path, s.folder()+"/in/")]; side != "" {
				return s.folder() + "/side/" + side, nil
			}
			return path, nil
		}
		a, other := page("a", "alpha"), page("b", "beta")
		s.put("in/good.warc.gz", file("good", page("c", "gamma")))
		for _, step := range []struct {
			name string
			do   func()
			want string
		}{
			{"unpacked", func() {
				s.put("in/whole.warc.gz", pack(a+other))
				s.put("side/1.warc", a+other)
				copies["whole.warc.gz"] = "1.warc"
			}, "a 1.warc, b 1.warc, c good.warc.gz"},
			{"noted by a version that didn't say of what", func() {
				f := b.known("1.warc")
				f.Source = ""
				if _, err := b.x.PutFile(t.Context(), f); err != nil {
					t.Fatal(err)
				}
			}, "a 1.warc, b 1.warc, c good.warc.gz"},
			{"moved", func() {
				s.remove("in/whole.warc.gz")
				s.put("in/sub/whole.warc.gz", pack(a+other))
				s.put("side/2.warc", a+other)
				copies["sub/whole.warc.gz"] = "2.warc"
			}, "a 2.warc, b 2.warc, c good.warc.gz"},
			{"compressed record by record", func() {
				s.put("in/sub/whole.warc.gz", file("whole", a))
				delete(copies, "sub/whole.warc.gz")
			}, "a whole.warc.gz, c good.warc.gz"},
			{"compressed as a whole again", func() {
				s.put("in/sub/whole.warc.gz", pack(other))
				s.put("side/2.warc", other)
				copies["sub/whole.warc.gz"] = "2.warc"
			}, "b 2.warc, c good.warc.gz"},
			{"deleted", func() {
				s.put("in/sub/notes", "")
				s.remove("in/sub/whole.warc.gz")
			}, "c good.warc.gz"},
		} {
			step.do()
			if _, err := Run(t.Context(), cfg, []string{s.folder() + "/in"}); err != nil {
				t.Fatal(err)
			}
			if _, err := dropRemoved(t.Context(), cfg, []string{s.folder() + "/in"}, nil); err != nil {
				t.Fatal(err)
			}
			t.Log(step.name)
			b.shows(strings.Split(step.want, ", ")...)
		}
	})
}

// The beginning of a file decides whether it has grown or been replaced.
func TestBeginningsOfFiles(t *testing.T) {
	t.Parallel()
	onEachShelf(t, func(t *testing.T, s shelf) {
		b := newBench(t, s)
		long := page("a", strings.Repeat("x", headLen))
		s.put("a.warc", long)
		b.run(1)
		if f := b.known("a.warc"); f.HeadLen != headLen {
			t.Errorf("known by %d bytes", f.HeadLen)
		}
		s.put("a.warc", long[:headLen-1]+"y"+long[headLen:]+page("b", "beta")) // the last byte that counts
		b.run(1)
		if f := b.known("a.warc"); f.ID != 2 {
			t.Errorf("another beginning, but the file is %+v", f)
		}
		s.put("small.warc", page("c", "gamma"))
		b.run(1)
		id := b.known("small.warc").ID
		s.put("small.warc", page("c", "gamma")+long)
		b.run(1)
		if f := b.known("small.warc"); f.ID != id || f.HeadLen != headLen || f.Captures != 2 {
			t.Errorf("it has grown beyond its beginning, but the file is %+v", f)
		}
		s.put("old/b.warc", long+page("d", "delta"))
		b.run(1)
		s.remove("old/b.warc")
		s.put("new/b.warc", long) // the beginning of what is gone, and no more
		b.run(1)
		if n := len(b.x.Files()); n != 4 {
			t.Errorf("%d files are known: what is shorter is not the same file", n)
		}
		b.shows("a a.warc", "a b.warc", "a b.warc", "a small.warc", "b a.warc", "c small.warc", "d b.warc")
	})
}

func TestProblemsReadWell(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Problem{
		"a: gone":                    {File: "a", Offset: -1, Reason: "gone"},
		"a: offset 0: odd":           {File: "a", Offset: 0, Reason: "odd"},
		"warning: a: offset 12: odd": {File: "a", Offset: 12, Reason: "odd", Warning: true},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Watch indexes what is there and what comes, and removes what goes.
func TestWatch(t *testing.T) {
	t.Parallel()
	s := shelves["local"](t)
	b := newBench(t, s)
	s.put("in/one.warc.gz", file("one", page("a", "alpha")))
	s.put("in/two.warc.gz", file("two", page("b", "beta")))
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	round := 0
	err := Watch(ctx, b.config(), []string{s.folder() + "/in"}, func(p *Progress, err error) {
		if err != nil {
			t.Error(err)
		}
		switch round++; round {
		case 1:
			b.shows("a one.warc.gz", "b two.warc.gz")
			time.AfterFunc(10*time.Millisecond, func() { s.put("in/below/three.warc.gz", file("three", page("c", "gamma"))) })
		case 2:
			b.shows("a one.warc.gz", "b two.warc.gz", "c three.warc.gz")
			time.AfterFunc(10*time.Millisecond, func() { s.remove("in/one.warc.gz") })
		case 3:
			b.shows("b two.warc.gz", "c three.warc.gz")
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || round != 3 {
		t.Errorf("after %d rounds: %v", round, err)
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		folder, path string
		want         bool
	}{
		{"/a/b", "/a/b/c", true},
		{"/a/b", "/a/b", false},
		{"/a/b", "/a/bc", false},
		{"/a/b", "/a", false},
		{"/", "/a", true},
		{`C:\a`, `C:\a\b`, true},
		{"s3://bucket", "s3://bucket/a", true},
		{"s3://bucket", "s3://buckets/a", false},
	} {
		if got := within(c.folder, c.path); got != c.want {
			t.Errorf("%s in %s: %v", c.path, c.folder, got)
		}
	}
}

// The reason of a problem doesn't repeat the path, which the problem names already, but names any other.
func TestReasonsOfProblems(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path string
		err  error
		want string
	}{
		{"/a.warc", &fs.PathError{Op: "open", Path: "/a.warc", Err: fs.ErrPermission}, "can't be read: permission denied"},
		{"/a.wacz#b.warc", &fs.PathError{Op: "open", Path: "/a.wacz", Err: fs.ErrPermission}, "can't be read: permission denied"},
		{"/a.idx", &fs.PathError{Op: "open", Path: "/part-0", Err: fs.ErrPermission}, "open /part-0: permission denied"},
		{"/a.warc", errors.New("odd"), "odd"},
	} {
		if got := reasonOf(tt.path, tt.err); got != tt.want {
			t.Errorf("%s, %v: %q, want %q", tt.path, tt.err, got, tt.want)
		}
	}
}
