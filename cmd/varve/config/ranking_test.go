package config

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/testkit/logbuffer"
)

// Rankings and what they name come into force when their files change; a fault keeps those of before and says why.
func TestRankingsAreReadAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, words := filepath.Join(dir, "varve.yaml"), filepath.Join(dir, "words.txt")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := func(rankings string) string {
		return "collections:\n  web:\n    dictionary: " + words + "\n" + rankings
	}
	write(words, "freiburg 9\n")
	write(file, config("    rankings:\n      plain: {weights: {title: 0}}\n"))
	read, err := ReadFile(file, Read)
	if err != nil {
		t.Fatal(err)
	}
	all, err := read.Collections()
	if err != nil {
		t.Fatal(err)
	}
	if names := all.Settings("web").Names(); strings.Join(names, " ") != "plain" {
		t.Fatalf("rankings %v", names)
	}
	said := new(logbuffer.Buffer)
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { all.Watch(ctx, said.Logger()) })
	defer watching.Wait()
	defer cancel()
	await := func(what string, ok func() bool) {
		t.Helper()
		for range 600 {
			if ok() {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("never: %s", what)
	}
	time.Sleep(checkInterval / 10) // so that the first look is before what follows
	write(file, config("    rankings:\n      plain: {weights: {title: 0}}\n      new: {boost: 1 + versions}\n"))
	await("two rankings", func() bool { return len(all.Settings("web").Names()) == 2 })
	write(file, config("    rankings:\n      bad: {boost: 1 + nonsense}\n"))
	await("the fault is said", func() bool {
		return strings.Contains(said.String(), "nonsense") && strings.Contains(said.String(), "stay")
	})
	if names := all.Settings("web").Names(); strings.Join(names, " ") != "new plain" {
		t.Errorf("after a fault: %v", names)
	}
	write(file, config(""))
	await("none", func() bool { return len(all.Settings("web").Names()) == 0 })
	write(words, "freiburg 9\nludwig 12\n")
	await("a word of the dictionary", func() bool { return all.Settings("web").Dictionary.Documents("ludwig") == 12 })
}
