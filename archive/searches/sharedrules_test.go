package searches_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/access"
	"github.com/varve-archive/varve/cdx"
)

const secret = "http://secret.example/"

// secrets are records of a page that had lakes once.
var secrets = []struct{ year, body string }{{"2018", fog + "<p>Lakes."}, {"2020", fog + "<p>Ponds."}}

func (s *peer) addSecrets(t *testing.T, hosts int) {
	t.Helper()
	records := manyHosts(hosts)
	for _, r := range secrets {
		records = append(records, on(r.year, secret, r.body))
	}
	s.add(t, records...)
}

// What was begun under laxer rules is not built on under those that came back.
func TestWorkOfOtherRulesIsNotResumed(t *testing.T) {
	closed := []access.Rule{{URL: secret, Access: access.Exclude}}
	p := newPool(t)
	p.rules = closed
	one := p.join(t, filepath.Join(t.TempDir(), "one"))
	one.addSecrets(t, 20)
	build(t, one.Searches)
	one.rule(t, []access.Rule{{URL: "http://nothing.example/", Access: access.Exclude}})
	ids, err := os.ReadDir(p.place.String())
	if err != nil {
		t.Fatal(err)
	}
	web := filepath.Join(p.place.String(), ids[0].Name(), "web")
	if err := os.Rename(web, web+".away"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(web, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Build(t.Context(), "web", false, nil); err == nil {
		t.Fatal("published to a place that is away")
	}
	if err := os.Remove(web); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(web+".away", web); err != nil {
		t.Fatal(err)
	}
	one.rule(t, closed)
	one.add(t, manyHosts(120)...)
	build(t, one.Searches)
	if n := hits(t, one.Searches, "web", "lakes"); n != 120 {
		t.Errorf("%d hits, want 120 without what is excluded", n)
	}
}

// away takes the records of a server's index away until back is called.
func (s *peer) away(t *testing.T) (back func()) {
	t.Helper()
	files := s.x.Files()
	for _, f := range files {
		if err := os.Rename(f.Path, f.Path+".away"); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		for _, f := range files {
			if err := os.Rename(f.Path+".away", f.Path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Pages that can't be read are tried again when their shard has something new, or when somebody asks for it; not all the time.
func TestUnreadablePagesAreNotTriedAllTheTime(t *testing.T) {
	p := newPool(t)
	one, two := p.join(t, filepath.Join(t.TempDir(), "one")), p.join(t, filepath.Join(t.TempDir(), "two"))
	one.add(t, manyHosts(60)...)
	back := one.away(t)
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	defer running.Wait()
	defer stop()
	for _, s := range []*peer{one, two} {
		running.Go(func() { s.Follow(ctx) })
		running.Go(func() { s.Keep(ctx) })
	}
	awaitBuilt(16, one, two)
	const late = "http://late.example/"
	one.add(t, on("2018", late, fog+"<p>Meadows."), on("2020", late, fog))
	awaitHits(t, one, "meadows", 1)
	if all := awaitBuilt(17, one, two); len(all) != 17 {
		t.Errorf("built %v: 16 shards, and one once more", all)
	}
	back()
	build(t, one.Searches)
	if n := hits(t, one.Searches, "web", "lakes"); n != 60 {
		t.Errorf("after the records are back: %d hits", n)
	}
}

// Pages that can't be read are tried again by themselves, and found once they can be read.
func TestUnreadablePagesAreTriedAgain(t *testing.T) {
	p := newPool(t)
	p.retry = 50 * time.Millisecond
	one, two := p.join(t, filepath.Join(t.TempDir(), "one")), p.join(t, filepath.Join(t.TempDir(), "two"))
	one.add(t, manyHosts(60)...)
	back := one.away(t)
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	defer running.Wait()
	defer stop()
	for _, s := range []*peer{one, two} {
		running.Go(func() { s.Follow(ctx) })
		running.Go(func() { s.Keep(ctx) })
	}
	if len(awaitBuilt(17, one, two)) < 17 {
		t.Fatal("they are not tried again")
	}
	back()
	for _, s := range []*peer{one, two} {
		awaitHits(t, s, "lakes", 60)
	}
}

// A page that can't be read under stricter rules is not found with what it had under the earlier ones.
func TestUnreadablePagesShowNothingThatIsExcluded(t *testing.T) {
	p := newPool(t)
	p.rules = []access.Rule{{URL: "http://nothing.example/", Access: access.Exclude}}
	one := p.join(t, filepath.Join(t.TempDir(), "one"))
	one.addSecrets(t, 5)
	build(t, one.Searches)
	one.away(t)
	one.rule(t, []access.Rule{{URL: secret, Access: access.Exclude, To: cdx.FromTime(time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC))}})
	if run, err := one.Build(t.Context(), "web", false, nil); err != nil || run.Failed.Load() != 1 {
		t.Fatalf("%d pages failed, %v", run.Failed.Load(), err)
	}
	if n := hits(t, one.Searches, "web", "lakes"); n != 5 {
		t.Errorf("%d hits, want 5", n)
	}
}

// What is built over midnight is of one day or of the other, so that none of it is too old when the day goes on.
func TestABuildOverMidnight(t *testing.T) {
	p := newPool(t)
	p.rules = []access.Rule{{URL: secret, Access: access.Exclude, Embargo: access.Embargo{Until: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}}}
	one := p.join(t, filepath.Join(t.TempDir(), "one"))
	var mu sync.Mutex
	now := time.Date(2024, 5, 1, 23, 59, 0, 0, time.UTC)
	set := func(to time.Time) {
		mu.Lock()
		defer mu.Unlock()
		now = to
	}
	one.policy.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	one.addSecrets(t, 40)
	one.Shards.Place = &stalling{Place: p.place, do: func() { set(one.policy.Now().Add(2 * time.Minute)) }}
	build(t, one.Searches)
	set(one.policy.Now().Add(3 * time.Hour))
	if _, err := one.Of("web"); err != nil {
		t.Errorf("hours after midnight: %v", err)
	}
	before := len(one.built())
	build(t, one.Searches)
	if n := len(one.built()); n != before {
		t.Errorf("%d shards were built once more", n-before)
	}
}
