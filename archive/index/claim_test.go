package index

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/archive/index/kvtest"
)

func claim(t *testing.T, x *Index) *Claim {
	t.Helper()
	c, err := x.Claim(t.Context(), "web", "a.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	return c
}

// age makes a claim look as if it had not been renewed for a while since x saw it.
func age(x *Index, coll, name string) {
	key := string(claimKey(coll, name))
	if seen, ok := x.claims.seen.Load(key); ok {
		s := seen.(seenClaim)
		s.since = s.since.Add(-2 * claimTime)
		x.claims.seen.Store(key, s)
	}
}

func TestOneProcessIndexesAFile(t *testing.T) {
	t.Parallel()
	one, two := pair(t)
	mine := claim(t, one)
	if _, err := two.Claim(t.Context(), "web", "a.warc.gz"); err != ErrClaimed {
		t.Errorf("a second claim: %v", err)
	}
	for _, other := range [][2]string{{"web", "b.warc.gz"}, {"other", "a.warc.gz"}} {
		c, err := two.Claim(t.Context(), other[0], other[1])
		if err != nil {
			t.Fatalf("%s is claimed with another: %v", other, err)
		}
		c.Release()
	}
	id, err := mine.PutFile(t.Context(), File{Collection: "web", Name: "a.warc.gz", Done: true})
	if err != nil {
		t.Fatal(err)
	}
	mine.Release()
	mine.Release()
	claim(t, two)
	if _, known := two.File(id); !known {
		t.Error("who claims a file doesn't know what was done about it before")
	}
}

func TestAClaimThatNobodyRenewsIsTakenOver(t *testing.T) {
	t.Parallel()
	one, two := pair(t)
	mine := claim(t, one)
	for range 2 { // seen once, it may be new; seen again, it has been there for long
		if _, err := two.Claim(t.Context(), "web", "a.warc.gz"); err != ErrClaimed {
			t.Fatalf("at once: %v", err)
		}
	}
	age(two, "web", "a.warc.gz")
	theirs := claim(t, two)
	if _, err := mine.PutFile(t.Context(), File{Collection: "web", Name: "a.warc.gz", Done: true}); !errors.Is(err, errClaimLost) {
		t.Errorf("who lost the claim finishes the file: %v", err)
	}
	if len(one.Files()) > 0 {
		t.Error("the file is there")
	}
	mine.Release()
	if _, err := one.Claim(t.Context(), "web", "a.warc.gz"); err != ErrClaimed {
		t.Errorf("whose claim was lost released another's: %v", err)
	}
	if _, err := theirs.PutFile(t.Context(), File{Collection: "web", Name: "a.warc.gz", Done: true}); err != nil {
		t.Error(err)
	}
}

func TestARenewedClaimIsNotTakenOver(t *testing.T) { synctest.Test(t, testARenewedClaimIsNotTakenOver) }

func testARenewedClaimIsNotTakenOver(t *testing.T) {
	one, two := pair(t)
	mine := claim(t, one)
	if _, err := two.Claim(t.Context(), "web", "a.warc.gz"); err != ErrClaimed {
		t.Fatal(err)
	}
	value := func() (v string) {
		err := one.store.View(t.Context(), func(snap kv.Snapshot) error {
			return snap.Get(mine.key, func(b []byte) error { v = string(b); return nil })
		})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := value()
	if time.Sleep(claimRenew + 1); value() == before {
		t.Fatal("a claim is not renewed")
	}
	age(two, "web", "a.warc.gz")
	if _, err := two.Claim(t.Context(), "web", "a.warc.gz"); err != ErrClaimed {
		t.Errorf("a claim that was renewed: %v", err)
	}
	mine.stop()
	if _, err := two.Claim(t.Context(), "web", "a.warc.gz"); err != ErrClaimed {
		t.Errorf("a claim that was renewed a moment ago: %v", err)
	}
	age(two, "web", "a.warc.gz")
	claim(t, two) // it is not renewed any more
}

// A process can't always tell the store that it is done with a file. It may go on with it at once; others wait.
func TestAClaimThatCouldNotBeReleased(t *testing.T) {
	t.Parallel()
	s := kvtest.NewMemory()
	faulty := struct {
		*kvtest.Faulty
		watcher
	}{kvtest.NewFaulty(s), s}
	one, two := openOn(t, faulty), openOn(t, s)
	mine, err := one.Claim(t.Context(), "web", "a.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	faulty.FailAt(1)
	mine.Release()
	if _, err := two.Claim(t.Context(), "web", "a.warc.gz"); err != ErrClaimed {
		t.Errorf("another process: %v", err)
	}
	claim(t, one)
}

// watcher is what a store that other processes share has beside others.
type watcher interface {
	Watch(ctx context.Context, key []byte, changed func() error) error
}

func TestClaimsCostNothingWhereNobodyElseWrites(t *testing.T) {
	t.Parallel()
	x := openOn(t, stores["badger"](t))
	for range 2 {
		c, err := x.Claim(t.Context(), "web", "a.warc.gz")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.PutFile(t.Context(), File{Collection: "web", Name: "a.warc.gz"}); err != nil {
			t.Error(err)
		}
		defer c.Release()
	}
	if n := entries(t, x, claimPrefix); n != 0 {
		t.Errorf("%d claims in a store that is not shared", n)
	}
	if shared := openOn(t, kvtest.NewMemory()); entries(t, shared, claimPrefix) != 0 || !shared.Shared() {
		t.Error("an empty store has claims, or is not shared")
	}
}

// Who imports an index file is alone once those who began before have ended: nobody begins meanwhile. Claims of index files hinder nobody.
func TestAnImportIsAlone(t *testing.T) {
	t.Parallel()
	one, two := pair(t)
	dead, err := two.Claim(t.Context(), "web", "0.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	dead.stop() // as if its process had been killed
	before := claim(t, two)
	file, err := one.ClaimIndexFile(t.Context(), "web", "a.cdxj")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Release()
	mine, err := one.ClaimImport(t.Context(), "web")
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := mine.Alone(t.Context(), "web"); alone || err != nil {
		t.Errorf("alone beside two others: %t, %v", alone, err)
	}
	age(one, "web", "0.warc.gz")
	if alone, err := mine.Alone(t.Context(), "web"); alone || err != nil {
		t.Errorf("alone beside one that is dead and one that works: %t, %v", alone, err)
	}
	for what, err := range map[string]error{
		"another import": second(two.ClaimImport(t.Context(), "web")), "a file": second(two.Claim(t.Context(), "web", "b.warc.gz")),
		"a file of the same process": second(one.Claim(t.Context(), "web", "b.warc.gz")),
	} {
		if err != ErrClaimed {
			t.Errorf("%s beside an import: %v", what, err)
		}
	}
	for what, claim := range map[string]func() (*Claim, error){
		"an index file":      func() (*Claim, error) { return two.ClaimIndexFile(t.Context(), "web", "b.cdxj") },
		"another collection": func() (*Claim, error) { return two.Claim(t.Context(), "other", "b.warc.gz") },
	} {
		c, err := claim()
		if err != nil {
			t.Fatalf("%s beside an import: %v", what, err)
		}
		defer c.Release()
	}
	id, err := before.PutFile(t.Context(), File{Collection: "web", Name: "a.warc.gz", Done: true})
	if err != nil {
		t.Fatal(err)
	}
	before.Release()
	if alone, err := mine.Alone(t.Context(), "web"); !alone || err != nil {
		t.Errorf("nobody else is at work, and it is alone: %t, %v", alone, err)
	}
	if _, known := one.File(id); !known {
		t.Error("who is alone doesn't know what was done before")
	}
	mine.Release()
	claim(t, two)
}

func second(_ *Claim, err error) error { return err }
