package index

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func part(t *testing.T, x *Index, name string) *PartClaim {
	t.Helper()
	c, err := x.Parts().Claim(t.Context(), "web", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	return c
}

func publish(t *testing.T, c *PartClaim, value string) {
	t.Helper()
	if err := c.Publish(t.Context(), []byte(value)); err != nil {
		t.Fatal(err)
	}
}

// parts lists what is published.
func parts(t *testing.T, x *Index, coll, prefix string) (out []string) {
	t.Helper()
	for p, err := range x.Parts().All(t.Context(), coll, prefix) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s=%s", p.Coll, p.Name, p.Value))
	}
	return out
}

func TestPartsArePublishedForAllProcesses(t *testing.T) {
	t.Parallel()
	one, two := pair(t)
	told := make(chan struct{}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- two.Parts().Follow(ctx, func() error { told <- struct{}{}; return nil })
	}()
	<-told
	mine := part(t, one, "a\x00/1")
	if _, err := two.Parts().Claim(t.Context(), "web", "a\x00/1"); err != ErrClaimed {
		t.Errorf("a second claim: %v", err)
	}
	file, err := two.Claim(t.Context(), "web", "a\x00/1")
	if err != nil {
		t.Fatalf("a file of the name of a part is claimed with it: %v", err)
	}
	file.Release()
	put(t, one, "file")
	publish(t, mine, "x")
	publish(t, mine, "y")
	publish(t, part(t, two, "b"), "z")
	<-told
	if got := fmt.Sprint(parts(t, two, "web", "")); got != "[web a\x00/1=y web b=z]" {
		t.Errorf("published: %q", got)
	}
	if one.Generation() != two.Generation() {
		t.Error("who reads what is published doesn't know what it was made from")
	}
	if got := fmt.Sprint(parts(t, one, "web", "b"), parts(t, one, "other", ""), len(parts(t, one, "", ""))); got != "[web b=z] [] 2" {
		t.Errorf("by name, of another collection, of all: %q", got)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Who slept while another process took its part over publishes nothing.
func TestWhoLostAPartPublishesNothing(t *testing.T) {
	t.Parallel()
	one, two := pair(t)
	mine := part(t, one, "a")
	for range 2 {
		if _, err := two.Parts().Claim(t.Context(), "web", "a"); err != ErrClaimed {
			t.Fatalf("at once: %v", err)
		}
	}
	key := string(append(collKey(makerPrefix, "web"), "a"...))
	seen, _ := two.claims.sights.Load(key)
	two.claims.sights.Store(key, sight{seen.(sight).value, time.Now().Add(-2 * claimTime)})
	theirs := part(t, two, "a")
	publish(t, theirs, "theirs")
	if err := mine.Publish(t.Context(), []byte("mine")); !errors.Is(err, errClaimLost) {
		t.Errorf("who lost the claim publishes: %v", err)
	}
	if err := mine.Withdraw(t.Context()); !errors.Is(err, errClaimLost) {
		t.Errorf("who lost the claim withdraws: %v", err)
	}
	if got := fmt.Sprint(parts(t, one, "web", "")); got != "[web a=theirs]" {
		t.Errorf("published: %q", got)
	}
	if err := theirs.Withdraw(t.Context()); err != nil || len(parts(t, one, "web", "")) != 0 {
		t.Errorf("withdrawn: %v, published: %q", err, parts(t, one, "web", ""))
	}
}

func TestNothingIsPublishedForNobody(t *testing.T) {
	t.Parallel()
	x := openOn(t, stores["badger"](t))
	if _, err := x.Parts().Claim(t.Context(), "web", "a"); err != ErrUnshared {
		t.Errorf("%v", err)
	}
	if err := x.Parts().Follow(t.Context(), func() error { return errors.New("called") }); err != nil {
		t.Error(err)
	}
}

func TestAllProcessesHaveTheSameShards(t *testing.T) {
	t.Parallel()
	one, two := pair(t)
	for i, x := range []*Index{one, two, one} {
		if n, err := x.Parts().Shards(t.Context(), 16+i); n != 16 || err != nil {
			t.Errorf("%d shards, %v", n, err)
		}
	}
}
