package ingest

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/archive/index"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/cdx"
)

// pack compresses a record.
func pack(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.String()
}

// record writes a record; fields are whole lines.
func record(kind, uri, block string, fields ...string) string {
	head := "WARC/1.1\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:test:" + uri + ">\r\n"
	if uri != "" {
		head += "WARC-Target-URI: " + uri + "\r\n"
	}
	if !strings.Contains(strings.Join(fields, ""), "WARC-Date") {
		head += "WARC-Date: 2014-01-01T00:00:00Z\r\n"
	}
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

const overHTTP = "Content-Type: application/http"

// page writes the record of a page at example.com.
func page(path, text string, fields ...string) string {
	return record("response", "http://example.com/"+path, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"+text, append(fields,
		overHTTP)...)
}

// file joins records, each compressed, after a record with an id that tells the file from others.
func file(id string, records ...string) string {
	out := pack(record("warcinfo", "", "software: "+id+"\r\n"))
	for _, r := range records {
		out += pack(r)
	}
	return out
}

// A bench indexes a shelf again and again.
type bench struct {
	t        *testing.T
	shelf    shelf
	store    kv.Store
	x        *index.Index
	mu       sync.Mutex
	problems []string
	kept     absent
}

func newBench(t *testing.T, s shelf) *bench {
	b := &bench{t: t, shelf: s, store: kvtest.NewMemory()}
	b.open()
	return b
}

// open opens the index as a new process would.
func (b *bench) open() {
	b.t.Helper()
	var err error
	if b.x, err = index.New(b.t.Context(), b.store); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) config() Config {
	cfg := Config{Index: b.x, Collection: "web", Storage: b.shelf, Workers: 2, Report: func(p Problem) {
		b.mu.Lock()
		defer b.mu.Unlock()
		p.File = strings.TrimPrefix(strings.TrimPrefix(p.File, b.shelf.folder()), "/")
		b.problems = append(b.problems, p.String())
	}}
	cfg.fill()
	return cfg
}

// run indexes what is new. It wants this many files read and these problems reported.
func (b *bench) run(files int64, problems ...string) *Progress {
	b.t.Helper()
	b.problems = nil
	p, err := Run(b.t.Context(), b.config(), []string{b.shelf.folder()})
	if err != nil {
		b.t.Fatal(err)
	}
	if got := p.Files.Load(); got != files {
		b.t.Errorf("%d files were read, want %d", got, files)
	}
	b.wantProblems(problems...)
	return p
}

func (b *bench) wantProblems(problems ...string) {
	b.t.Helper()
	if slices.Sort(b.problems); !slices.Equal(b.problems, problems) {
		b.t.Errorf("problems\n%s\nwant\n%s", strings.Join(b.problems, "\n"), strings.Join(problems, "\n"))
	}
}

// shows checks the captures of the index, each given as path and file.
func (b *bench) shows(want ...string) {
	b.t.Helper()
	var got []string
	for c, err := range b.x.Captures(b.t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			b.t.Fatal(err)
		}
		mark := ""
		if c.Truncated {
			mark = "~"
		}
		got = append(got, strings.TrimPrefix(c.URL, "http://example.com/")+mark+" "+c.FileName)
	}
	if !slices.Equal(got, want) {
		b.t.Errorf("shown are %q, want %q", got, want)
	}
}

// known returns the index's entry of a file.
func (b *bench) known(name string) index.File {
	b.t.Helper()
	for _, f := range b.x.Files() {
		if f.Name == name {
			return f
		}
	}
	b.t.Fatalf("%s is not known", name)
	return index.File{}
}

func TestFilesComeAndChange(t *testing.T) {
	t.Parallel()
	one := file("one", page("a", "alpha"), page("b", "beta"))
	for name, test := range map[string]func(b *bench){
		"new": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			p := b.run(1)
			b.shows("a one.warc.gz", "b one.warc.gz")
			f := b.known("one.warc.gz")
			if size := int64(len(one)); f.Size != size || f.Scanned != size || f.Resume != size || f.Records != 3 || f.Captures != 2 ||
				f.Damaged != 0 || !f.Done || f.Format != "WARC.gz" {
				b.t.Errorf("the index knows %+v", f)
			}
			if p.Bytes.Load() != int64(len(one)) || p.TotalBytes.Load() != int64(len(one)) || p.Captures.Load() != 2 || p.TotalFiles.Load() != 1 {
				b.t.Errorf("progress: %d of %d bytes, %d captures", p.Bytes.Load(), p.TotalBytes.Load(), p.Captures.Load())
			}
			b.run(0)
			b.open()
			cfg := b.config()
			cfg.Started = func(*Progress) { b.t.Error("a run begins to read files, though none is new") }
			if _, err := Run(b.t.Context(), cfg, []string{b.shelf.folder()}); err != nil {
				b.t.Fatal(err)
			}
			b.shows("a one.warc.gz", "b one.warc.gz")
		},
		"in folders below": func(b *bench) {
			b.shelf.put("x/y/one.warc.gz", one)
			b.shelf.put("x/notes.txt", "no archive")
			b.run(1)
			b.shows("a one.warc.gz", "b one.warc.gz")
		},
		"grown": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			id := b.known("one.warc.gz").ID
			b.shelf.put("one.warc.gz", one+pack(page("c", "gamma")))
			p := b.run(1)
			b.shows("a one.warc.gz", "b one.warc.gz", "c one.warc.gz")
			f := b.known("one.warc.gz")
			if f.ID != id || f.Captures != 3 || f.Records != 4 {
				b.t.Errorf("the index knows %+v", f)
			}
			if grown := int64(len(pack(page("c", "gamma")))); p.Bytes.Load() != grown || p.Captures.Load() != 1 {
				b.t.Errorf("%d bytes and %d captures were read, want %d and 1: only what is new", p.Bytes.Load(), p.Captures.Load(), grown)
			} else if p.TotalBytes.Load() != grown {
				b.t.Errorf("%d bytes are announced, want %d", p.TotalBytes.Load(), grown)
			}
		},
		"a revisit before its original": func(b *bench) {
			const digest = "ZLQ7HXAKB7G63LPM5PBXG5JFDT7SLMIZ" // of the body of the original
			b.shelf.put("two.warc.gz", file("two", record("revisit", "http://example.com/a", "HTTP/1.1 200 OK\r\n\r\n", overHTTP,
				"WARC-Date: 2015-01-01T00:00:00Z", "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
				"WARC-Payload-Digest: sha1:"+digest)))
			if n := b.run(1).Unresolved.Load(); n != 1 {
				b.t.Errorf("%d revisits have no original", n)
			}
			b.shelf.put("one.warc.gz", file("one", page("a", "alpha")))
			if n := b.run(1).Unresolved.Load(); n != 0 {
				b.t.Errorf("%d revisits have no original, though it came", n)
			}
		},
		"grown behind a record that was cut": func(b *bench) {
			begin := record("warcinfo", "", "plain") + page("a", "alpha")
			whole := begin + page("c", strings.Repeat("gamma ", 200))
			b.shelf.put("one.warc", whole[:len(whole)-30])
			b.run(1, fmt.Sprintf("one.warc: offset %d: Content-Length 1247 reaches beyond the end of the file", len(begin)))
			b.shows("a one.warc", "c~ one.warc")
			if f := b.known("one.warc"); f.Resume != int64(len(begin)-len("\r\n\r\n")) || f.Damaged != 1 {
				b.t.Errorf("the index knows %+v", f)
			}
			b.shelf.put("one.warc", whole)
			b.run(1)
			b.shows("a one.warc", "c one.warc")
		},
		"touched": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			before := b.known("one.warc.gz")
			b.shelf.put("one.warc.gz", one)
			b.run(0)
			if after := b.known("one.warc.gz"); !after.ModTime.After(before.ModTime) || after.ID != before.ID {
				b.t.Errorf("the index knows %+v", after)
			}
		},
		"touched, and large": func(b *bench) {
			b.shelf.put("one.warc", page("a", strings.Repeat("alpha ", headLen))+page("z", "omega"))
			b.run(1)
			before := b.known("one.warc")
			b.shelf.put("one.warc", page("a", strings.Repeat("alpha ", headLen))+page("z", "omega"))
			if p := b.run(1); p.Captures.Load() != 0 || p.Bytes.Load() != before.Size {
				b.t.Errorf("%d captures and %d bytes were read", p.Captures.Load(), p.Bytes.Load())
			}
			if after := b.known("one.warc"); !after.ModTime.After(before.ModTime) || after.ID != before.ID {
				b.t.Errorf("the index knows %+v", after)
			}
			b.run(0)
		},
		"rewritten behind its beginning": func(b *bench) {
			a := page("a", strings.Repeat("alpha ", headLen))
			for _, p := range []string{"z", "y", "x", "longer"} {
				b.shelf.put("one.warc", a+page(p, "omega"))
				b.run(1)
				b.shows("a one.warc", p+" one.warc")
			}
			b.run(0)
		},
		"members of a WACZ": func(b *bench) {
			one, two := page("a", strings.Repeat("alpha ", headLen)), page("b", "beta")
			for i, last := range []string{"z", "longer"} { // in the second one only one member is another
				inner := zipped(b.t, zip.Store, map[string]string{"archive/two.warc": two})
				b.shelf.put("c.wacz", zipped(b.t, zip.Store, map[string]string{"archive/one.warc": one + page(last, "omega"), "d.wacz": inner}))
				if p := b.run(int64(2 - i)); p.Bytes.Load() < p.TotalBytes.Load() {
					b.t.Errorf("%d of %d bytes were read", p.Bytes.Load(), p.TotalBytes.Load())
				}
				b.shows("a one.warc", "b two.warc", last+" one.warc")
				b.run(0)
				if p := b.named("c.wacz#archive/one.warc"); p.Files.Load() != 0 {
					b.t.Error("a member that is named is read again")
				}
			}
		},
		"shrunk in place": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			b.shelf.put("one.warc.gz", file("one", page("a", "alpha")))
			b.run(1)
			b.shows("a one.warc.gz")
		},
		"shrunk behind its beginning": func(b *bench) {
			a, z := page("a", strings.Repeat("alpha ", headLen)), page("z", "omega")
			b.shelf.put("one.warc", a+z)
			b.run(1)
			b.shelf.put("one.warc", a)
			b.run(1)
			b.shows("a one.warc")
		},
		"replaced by one of the same size": func(b *bench) {
			b.shelf.put("one.warc", record("warcinfo", "", "1")+page("a", "alpha"))
			b.run(1)
			b.shelf.put("one.warc", record("warcinfo", "", "2")+page("z", "alpha"))
			b.run(1)
			b.shows("z one.warc")
		},
		"replaced by a larger one": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			b.shelf.put("one.warc.gz", file("another", page("x", "xi"), page("y", "ypsilon"), page("z", "zeta")))
			b.run(1)
			b.shows("x one.warc.gz", "y one.warc.gz", "z one.warc.gz")
		},
		"moved": func(b *bench) {
			b.shelf.put("old/one.warc.gz", one)
			b.run(1)
			id := b.known("one.warc.gz").ID
			b.shelf.remove("old/one.warc.gz")
			b.shelf.put("new/one.warc.gz", one)
			b.run(0)
			b.shows("a one.warc.gz", "b one.warc.gz")
			e, err := b.shelf.Stat(b.t.Context(), b.shelf.folder()+"/new/one.warc.gz")
			f := b.known("one.warc.gz")
			if f.ID != id || !strings.HasSuffix(f.Path, "new/one.warc.gz") || !f.ModTime.Equal(e.ModTime) || err != nil {
				b.t.Errorf("the index knows %+v", f)
			}
			b.run(0)
		},
		"moved and grown": func(b *bench) {
			b.shelf.put("old/one.warc.gz", one)
			b.run(1)
			b.shelf.remove("old/one.warc.gz")
			b.shelf.put("new/one.warc.gz", one+pack(page("c", "gamma")))
			p := b.run(1)
			b.shows("a one.warc.gz", "b one.warc.gz", "c one.warc.gz")
			if p.Captures.Load() != 1 || len(b.x.Files()) != 1 {
				b.t.Errorf("%d captures were read, %d files are known", p.Captures.Load(), len(b.x.Files()))
			}
		},
		"moved and shrunk": func(b *bench) {
			b.shelf.put("old/one.warc.gz", one)
			b.run(1)
			b.shelf.remove("old/one.warc.gz")
			b.shelf.put("new/one.warc.gz", one[:len(one)-len(pack(page("b", "beta")))])
			b.run(1)
			if n := len(b.x.Files()); n != 2 {
				b.t.Errorf("%d files are known: what is shorter is not the same file", n)
			}
		},
		"renamed": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			b.shelf.remove("one.warc.gz")
			b.shelf.put("two.warc.gz", one)
			b.run(1)
			b.shows("a two.warc.gz", "b two.warc.gz")
			if n := len(b.x.Files()); n != 1 {
				b.t.Errorf("%d files are known", n)
			}
		},
		"renamed and grown": func(b *bench) {
			long := page("l", strings.Repeat("lambda ", headLen))
			b.shelf.put("one.warc.gz", one)
			b.shelf.put("long.warc", long)
			b.run(2)
			b.shelf.remove("one.warc.gz")
			b.shelf.remove("long.warc")
			b.shelf.put("two.warc.gz", one+pack(page("c", "gamma")))
			b.shelf.put("longer.warc", long+page("m", "mu"))
			b.shelf.put("three.warc.gz", file("three", page("z", "zeta")))
			b.run(3)
			b.shows("a two.warc.gz", "b two.warc.gz", "c two.warc.gz", "l longer.warc", "m longer.warc", "z three.warc.gz")
			if n := len(b.x.Files()); n != 3 {
				b.t.Errorf("%d files are known", n)
			}
		},
		"renamed, and another of its name": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			b.shelf.put("two.warc.gz", one)
			b.shelf.put("one.warc.gz", file("other", page("z", "zeta")))
			b.run(2)
			b.shows("a two.warc.gz", "b two.warc.gz", "z one.warc.gz")
		},
		"copied under another name": func(b *bench) {
			b.shelf.put("one.warc.gz", one)
			b.run(1)
			b.shelf.put("two.warc.gz", one)
			b.run(1)
			b.shows("a one.warc.gz", "a two.warc.gz", "b one.warc.gz", "b two.warc.gz")
		},
		"copied": func(b *bench) {
			b.shelf.put("a/one.warc.gz", one)
			b.run(1)
			b.shelf.put("b/one.warc.gz", one)
			b.run(0)
			b.shows("a one.warc.gz", "b one.warc.gz")
		},
		"copied before it is indexed": func(b *bench) {
			b.shelf.put("a/one.warc.gz", one)
			b.shelf.put("b/one.warc.gz", one)
			b.run(1)
			b.shows("a one.warc.gz", "b one.warc.gz")
			b.run(0)
			b.shelf.remove("a/one.warc.gz")
			b.run(0)
			b.shows("a one.warc.gz", "b one.warc.gz")
		},
		"of one name, but different": func(b *bench) {
			b.shelf.put("a/one.warc.gz", one)
			b.shelf.put("b/one.warc.gz", file("two", page("z", "zeta")))
			b.run(2)
			b.shows("a one.warc.gz", "b one.warc.gz", "z one.warc.gz")
		},
		"a name in another encoding": func(b *bench) {
			b.shelf.put("caf\xe9.warc.gz", one)
			b.run(1)
			b.run(0) // it is still there
			for _, f := range b.x.Files() {
				if f.Path != b.shelf.folder()+"/caf\xe9.warc.gz" || f.Name != "caf\xe9.warc.gz" {
					b.t.Errorf("the index has %q", f.Path)
				}
			}
		},
		"no archive in spite of its name": func(b *bench) {
			b.shelf.put("one.warc.gz", "hello, this is a text")
			b.shelf.put("two.warc.gz", one)
			p := b.run(2, "one.warc.gz: offset 0: no record starts here")
			if p.Problems.Load() != 1 {
				b.t.Errorf("%d problems", p.Problems.Load())
			}
		},
	} {
		t.Run(name, func(t *testing.T) { onEachShelf(t, func(t *testing.T, s shelf) { test(newBench(t, s)) }) })
	}
}

func TestFilesGo(t *testing.T) {
	t.Parallel()
	one, two := file("one", page("a", "alpha")), file("two", page("b", "beta"))
	drop := func(b *bench) {
		b.t.Helper()
		b.problems = nil
		var err error
		if b.kept, err = dropRemoved(b.t.Context(), b.config(), []string{b.shelf.folder() + "/in"}, b.kept); err != nil {
			b.t.Fatal(err)
		}
	}
	begin := func(t *testing.T, s shelf) *bench {
		b := newBench(t, s)
		s.put("in/one.warc.gz", one)
		s.put("in/two.warc.gz", two)
		s.put("inside/three.warc.gz", file("three", page("c", "gamma")))
		b.run(3)
		drop(b)
		b.wantProblems()
		return b
	}
	all := []string{"a one.warc.gz", "b two.warc.gz", "c three.warc.gz"}
	t.Run("one", func(t *testing.T) {
		onEachShelf(t, func(t *testing.T, s shelf) {
			b := begin(t, s)
			b.shows(all...)
			s.remove("in/one.warc.gz")
			drop(b)
			b.wantProblems()
			b.shows("b two.warc.gz", "c three.warc.gz")
			s.put("in/one.warc.gz", one)
			b.run(1)
			b.shows(all...)
		})
	})
	t.Run("a member of a WACZ that was replaced", func(t *testing.T) {
		onEachShelf(t, func(t *testing.T, s shelf) {
			b := begin(t, s)
			for _, name := range []string{"four", "five"} {
				s.put("in/c.wacz", zipped(t, zip.Store, map[string]string{"archive/" + name + ".warc.gz": file(name, page("d", "delta"))}))
				b.run(1)
				drop(b)
				b.wantProblems()
				b.shows(append(all, "d "+name+".warc.gz")...)
			}
			s.put("in/c.wacz", "PK, half-written")
			drop(b)
			b.shows(append(all, "d five.warc.gz")...)
		})
	})
	t.Run("all of a folder, which are kept", func(t *testing.T) {
		onEachShelf(t, func(t *testing.T, s shelf) {
			b := begin(t, s)
			s.remove("in/one.warc.gz")
			s.remove("in/two.warc.gz")
			const kept = "warning: in: all indexed files are gone from here; " +
				"they are kept in the index in case the disk comes back (varve remove takes them out)"
			drop(b)
			b.wantProblems(kept)
			drop(b)
			b.wantProblems() // it was said
			s.put("in/one.warc.gz", one)
			drop(b)
			b.shows("a one.warc.gz", "c three.warc.gz")
			s.remove("in/one.warc.gz")
			drop(b)
			b.wantProblems(kept)
			b.shows("a one.warc.gz", "c three.warc.gz")
		})
	})
	t.Run("all of a folder in it, where a disk may have been", func(t *testing.T) {
		onEachShelf(t, func(t *testing.T, s shelf) {
			b := begin(t, s)
			s.put("in/disk/2014/four.warc.gz", file("four", page("d", "delta")))
			b.run(1)
			all := append(all, "d four.warc.gz")
			if _, folders := s.(*localShelf); folders { // a bucket has none that are empty
				s.remove("in/disk/2014")
				drop(b)
				b.wantProblems("warning: in/disk: all indexed files are gone from here; " +
					"they are kept in the index in case the disk comes back (varve remove takes them out)")
				b.shows(all...)
			}
			s.remove("in/disk/2014/four.warc.gz")
			s.remove("in/disk")
			drop(b)
			b.shows(all[:3]...)
		})
	})
	t.Run("all of a folder, and one of another", func(t *testing.T) {
		onEachShelf(t, func(t *testing.T, s shelf) {
			b := begin(t, s)
			s.put("inside/four.warc.gz", file("four", page("d", "delta")))
			b.run(1)
			s.remove("in/one.warc.gz")
			s.remove("in/two.warc.gz")
			s.remove("inside/three.warc.gz")
			if _, err := dropRemoved(t.Context(), b.config(), []string{s.folder() + "/in", s.folder() + "/inside"}, nil); err != nil {
				t.Fatal(err)
			}
			b.shows("a one.warc.gz", "b two.warc.gz", "d four.warc.gz")
		})
	})
	t.Run("of another folder or collection", func(t *testing.T) {
		onEachShelf(t, func(t *testing.T, s shelf) {
			b := begin(t, s)
			s.remove("inside/three.warc.gz")
			drop(b)
			b.shows(all...)
			cfg := b.config()
			cfg.Collection = "other"
			s.remove("in/one.warc.gz")
			if _, err := dropRemoved(t.Context(), cfg, []string{s.folder() + "/in"}, nil); err != nil {
				t.Fatal(err)
			}
			b.shows(all...)
		})
	})
}

// A countedBucket counts the objects that are asked about one by one.
type countedBucket struct {
	*bucket
	stats int
}

func (b *countedBucket) Stat(ctx context.Context, p string) (warc.Entry, error) {
	b.stats++
	return b.bucket.Stat(ctx, p)
}

// Object storages charge for each question, and are looked through each minute.
func TestFilesThatAreListedAreNotAskedAbout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testFilesThatAreListedAreNotAskedAbout) // a file that goes takes a second
}

func testFilesThatAreListedAreNotAskedAbout(t *testing.T) {
	s := &countedBucket{bucket: &bucket{t: t, objects: map[string]object{}}}
	b := newBench(t, s)
	for i := range 50 {
		s.put(fmt.Sprintf("in/%d.warc.gz", i), file(fmt.Sprint(i), page(fmt.Sprint(i), "alpha")))
	}
	b.run(50)
	s.remove("in/7.warc.gz")
	s.stats = 0
	b.run(0)
	if _, err := dropRemoved(t.Context(), b.config(), []string{s.folder()}, nil); err != nil {
		t.Fatal(err)
	}
	if n := len(b.x.Files()); n != 49 || s.stats > 5 {
		t.Errorf("%d files are left, %d were asked about", n, s.stats)
	}
}

// Damage is reported with its place and reason, and what surrounds it is indexed.
func TestDamageIsNamed(t *testing.T) {
	t.Parallel()
	a, c := page("a", "alpha"), page("c", "gamma")
	sound := "sha1:" + strings.Repeat("A", 32)
	for name, test := range map[string]struct {
		name, content string
		problems      []string
		shown         []string
	}{
		"garbage between records": {
			"x.warc.gz", file("x", a) + "garbage" + pack(c),
			[]string{fmt.Sprintf("x.warc.gz: offset %d: no record starts here", len(file("x", a)))},
			[]string{"a x.warc.gz", "c x.warc.gz"},
		},
		"a late member with several records": {
			"x.warc.gz", file("x", a, page("b", "beta"), page("d", "delta")+page("e", "epsilon"), c),
			[]string{fmt.Sprintf("x.warc.gz: offset %d: one compressed stream holds several records, and only the first can be read at an offset",
				len(file("x", a, page("b", "beta"))))},
			[]string{"a x.warc.gz", "b x.warc.gz", "c x.warc.gz", "d x.warc.gz"},
		},
		"a URI that is none": {
			"x.warc.gz", file("x", a, record("response", "nowhere", "HTTP/1.1 200 OK\r\n\r\n", overHTTP), c),
			[]string{fmt.Sprintf(`x.warc.gz: offset %d: the target URI "nowhere" is no URI`, len(file("x", a)))},
			[]string{"a x.warc.gz", "c x.warc.gz"},
		},
		"a digest that doesn't fit": {
			"x.warc.gz", file("x", a, page("b", "beta", "WARC-Payload-Digest: "+sound), c),
			[]string{fmt.Sprintf("warning: x.warc.gz: offset %d: the payload digest %s fits neither the transfer-coded nor the decoded body",
				len(file("x", a)), sound)},
			[]string{"a x.warc.gz", "b x.warc.gz", "c x.warc.gz"},
		},
		"a URI that is too long": {
			"x.warc.gz", file("x", a, page(strings.Repeat("x", 61_000), "beta"), c),
			[]string{fmt.Sprintf("x.warc.gz: offset %d: its URI is too long for the index", len(file("x", a)))},
			[]string{"a x.warc.gz", "c x.warc.gz"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, shelves["bucket"](t))
			b.shelf.put(test.name, test.content)
			p := b.run(1, test.problems...)
			b.shows(test.shown...)
			f, damage := b.known(test.name), int64(0)
			if !strings.HasPrefix(test.problems[0], "warning") {
				damage = 1
			}
			if f.Damaged != damage || p.Problems.Load() != damage || f.Captures != int64(len(test.shown)) {
				t.Errorf("%d damaged places, %d problems, %d captures", f.Damaged, p.Problems.Load(), f.Captures)
			}
		})
	}
}

// A revisit that names its original by its ID alone finds it if that is in the same file.
func TestRevisitsThatReferToAnID(t *testing.T) {
	t.Parallel()
	const a, z = "http://example.com/a", "http://example.com/z"
	by := func(uri, day, id, profile string) string {
		return record("revisit", uri, "HTTP/1.1 304 Not Modified\r\n\r\n", overHTTP, "WARC-Date: "+day+"T00:00:00Z", "WARC-Refers-To: "+id,
			"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/"+profile)
	}
	s := shelves["bucket"](t)
	s.put("one.warc.gz", file("one", page("a", "alpha"), page("b", "beta"),
		by(a, "2015-01-01", "<urn:test:"+a+">", "identical-payload-digest"),
		by(z, "2015-01-02", "<urn:test:"+a+">", "identical-payload-digest"),
		by(a, "2015-01-03", "<urn:test:http://example.com/b>", "server-not-modified"),
		by(z, "2015-01-04", "<urn:test:none>", "identical-payload-digest"),
		strings.Replace(page("c", "gamma"), "WARC-Record-ID", "X", 1), by(z, "2015-01-05", "", "identical-payload-digest")))
	b := newBench(t, s)
	if p := b.run(1); p.Unresolved.Load() != 2 {
		t.Errorf("%d revisits without an original", p.Unresolved.Load())
	}
	got := map[cdx.Timestamp]string{}
	for c, err := range b.x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind == cdx.Revisit {
			got[c.Time] = c.RefersToURI
		}
	}
	want := map[cdx.Timestamp]string{
		20150101000000: a, 20150102000000: a, 20150103000000: "http://example.com/b", 20150104000000: "", 20150105000000: "",
	}
	if !maps.Equal(got, want) {
		t.Errorf("they refer to %v", got)
	}
}

// Whenever the index fails, the run says so and shows each file completely or not at all. The next run ends up with the
// same index as an undisturbed one.
func TestARunThatFailsIsCompletedByTheNext(t *testing.T) {
	t.Parallel()
	s := shelves["bucket"](t)
	s.put("one.warc.gz", file("one", page("a", "alpha"), page("b", "beta")))
	s.put("two.warc.gz", file("two", page("c", "gamma"), page("d", "alpha"),
		record("revisit", "http://example.com/a", "HTTP/1.1 200 OK\r\n\r\n", overHTTP, "WARC-Date: 2015-01-01T00:00:00Z",
			"WARC-Refers-To-Target-URI: http://example.com/a", "WARC-Refers-To-Date: 2014-01-01T00:00:00Z")))
	whole := newBench(t, s)
	faulty := kvtest.NewFaulty(whole.store)
	whole.store = faulty
	whole.open()
	faulty.FailAt(0)
	whole.run(2)
	want := []string{"a one.warc.gz", "a two.warc.gz", "b one.warc.gz", "c two.warc.gz", "d two.warc.gz"}
	whole.shows(want...)
	steps := len(faulty.Steps())
	for n := 1; n <= steps; n++ {
		b := newBench(t, s)
		faulty := kvtest.NewFaulty(b.store)
		b.store = faulty
		b.open()
		faulty.FailAt(n)
		_, err := Run(t.Context(), b.config(), []string{s.folder()})
		if err != nil && !errors.Is(err, kvtest.ErrFault) {
			t.Fatalf("step %d: %v", n, err)
		}
		if len(faulty.Steps()) >= n && err == nil && !strings.Contains("update get to update commit", faulty.Steps()[n-1]) {
			t.Errorf("step %d of %d (%s) failed, the run says nothing", n, steps, faulty.Steps()[n-1])
		}
		faulty.FailAt(0)
		b.open()
		of := map[string]int{}
		for c, err := range b.x.Captures(t.Context(), cdx.Span{Coll: "web"}) {
			if err != nil {
				t.Fatal(err)
			}
			of[c.FileName]++
		}
		if one, two := of["one.warc.gz"], of["two.warc.gz"]; one%2 != 0 || two%3 != 0 {
			t.Errorf("after step %d failed %d of 2 and %d of 3 captures show", n, one, two)
		}
		if _, err := Run(t.Context(), b.config(), []string{s.folder()}); err != nil {
			t.Fatalf("after step %d failed: %v", n, err)
		}
		b.shows(want...)
	}
}

func TestAStoppedRunIsCompletedByTheNext(t *testing.T) {
	t.Parallel()
	s := shelves["bucket"](t)
	s.put("one.warc.gz", file("one", page("a", "alpha"), page("b", "beta")))
	b := newBench(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cfg := b.config()
	cfg.Started = func(*Progress) { cancel() }
	if _, err := Run(ctx, cfg, []string{s.folder()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	b.shows()
	b.open()
	b.run(1)
	b.shows("a one.warc.gz", "b one.warc.gz")
}

// It is no fault of files and folders that nobody waits for them any more.
func TestAStoppedRunFindsNoFault(t *testing.T) {
	t.Parallel()
	for name, shelf := range shelves {
		s := shelf(t)
		s.put("one.warc.gz", file("one", page("a", "alpha")))
		b := newBench(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		cfg := b.config()
		cfg.Report = func(p Problem) { t.Errorf("%s: %+v", name, p) }
		if _, err := Run(ctx, cfg, []string{s.folder()}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The file with most left to read comes first, so that all cores are busy until the end.
func TestLongestFirst(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	var got []int64
	for _, j := range longestFirst([]job{{size: 2 * mib}, {size: 9 * mib, from: 8 * mib}, {size: 4 * mib, from: mib}, {size: mib / 2}}) {
		got = append(got, j.size-j.from)
	}
	if want := []int64{3 * mib, 2 * mib, mib, mib / 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
