package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

// A churn adds, grows, moves, damages and removes files, and keeps their number within bounds.
type churn struct {
	folder, scratch string
	maker           *maker
	ledger          *ledger
	client          *client
	random          *rand.Rand
	files           []*file // the oldest first
	n               int
	took            map[string][]time.Duration // of each change, until it showed
	failed          func(what, why string)
}

// A file is one that comes and goes.
type file struct {
	path     string
	captures []*capture // in the order of the file
	members  []member
	orphans  []*capture // revisits whose original is lost; these are not checked
}

// whole returns the captures of the file that can be replayed.
func (f *file) whole() []*capture {
	return slices.DeleteFunc(slices.Clone(f.captures), func(c *capture) bool { return slices.Contains(f.orphans, c) })
}

const (
	minFiles = 10
	maxFiles = 16
	patience = time.Minute // time until a change of a file is visible
	halfFor  = 2 * time.Second
)

// run makes one change after the other until the context ends. It completes the last one.
func (c *churn) run(ctx context.Context, pause time.Duration) {
	for ctx.Err() == nil {
		if err := c.step(ctx); err != nil {
			c.failed("churn", err.Error())
		}
		_ = sleep.For(ctx, pause)
	}
}

// step makes a random change within the bounds.
func (c *churn) step(ctx context.Context) error {
	// Complete the change even if the time is over.
	ctx = context.WithoutCancel(ctx)
	ways := []struct {
		name string
		do   func(context.Context) error
	}{
		{"add", c.add},
		{"write slowly", c.addSlowly},
		{"upload", c.upload},
		{"grow", c.grow},
		{"move", c.move},
		{"damage", c.damage},
		{"remove", c.remove},
	}
	const adding, removing = 3, 6
	way := c.random.IntN(len(ways))
	switch {
	case len(c.files) < minFiles:
		way = c.random.IntN(adding)
	case len(c.files) >= maxFiles:
		way = removing
	}
	began := time.Now()
	err := ways[way].do(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", ways[way].name, err)
	}
	c.took[ways[way].name] = append(c.took[ways[way].name], time.Since(began))
	return nil
}

func (c *churn) coming() *file {
	c.n++
	f := &file{path: filepath.Join(c.folder, fmt.Sprintf("coming-%06d.warc.gz", c.n)), captures: c.maker.coming()}
	f.members = membersOf(f.captures)
	return f
}

func (f *file) last() *capture { return f.captures[len(f.captures)-1] }

func (c *churn) choose() *file { return c.files[c.random.IntN(len(c.files))] }

// add adds a file whole.
func (c *churn) add(ctx context.Context) error {
	f := c.coming()
	c.ledger.set(unsure, f.captures...)
	if err := write(c.scratch, f.path, f.members); err != nil {
		return err
	}
	return c.added(ctx, f)
}

// added waits for a file to be there.
func (c *churn) added(ctx context.Context, f *file) error {
	c.files = append(c.files, f)
	return c.settle(ctx, f.captures, there, f.last(), func(line string) bool { return line != "" })
}

func (c *churn) upload(ctx context.Context) error {
	f := c.coming()
	f.path = filepath.Join(c.folder, "given-"+filepath.Base(f.path))
	c.ledger.set(unsure, f.captures...)
	a, err := c.client.do(ctx, &question{
		method: "POST", target: "/-/uploads?name=" + url.QueryEscape(filepath.Base(f.path)), body: slices.Concat(bytesOf(f.members)...),
	})
	if err != nil {
		return err
	}
	if a.status != 202 {
		return fmt.Errorf("status %d: %.300s", a.status, a.body)
	}
	return c.added(ctx, f)
}

// addSlowly writes a file like crawlers do: in bursts, with an incomplete record in between.
func (c *churn) addSlowly(ctx context.Context) error {
	f := c.coming()
	c.ledger.set(unsure, f.captures...)
	if err := appendSlowly(f.path, f.members); err != nil {
		return err
	}
	return c.added(ctx, f)
}

// grow appends records to a file.
func (c *churn) grow(ctx context.Context) error {
	f, more := c.choose(), c.coming()
	c.ledger.set(unsure, more.captures...)
	if err := appendSlowly(f.path, more.members); err != nil {
		return err
	}
	f.captures, f.members = append(f.captures, more.captures...), append(f.members, more.members...)
	return c.settle(ctx, more.captures, there, f.last(), func(line string) bool { return line != "" })
}

// appendSlowly appends records to a file, the last but one in two halves.
func appendSlowly(path string, members []member) (err error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) // #nosec G304 -- in the folder that was made for it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for i, m := range members {
		half := len(m) / 2
		if _, err := f.Write(m[:half]); err != nil {
			return err
		}
		if i == len(members)-2 {
			time.Sleep(halfFor)
		}
		if _, err := f.Write(m[half:]); err != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

// move puts a file into another folder, every other time under another name.
func (c *churn) move(ctx context.Context) error {
	f := c.choose()
	c.n++
	name := filepath.Base(f.path)
	if c.n%2 == 0 {
		name = fmt.Sprintf("moved-%06d.warc.gz", c.n)
	}
	to := filepath.Join(c.folder, fmt.Sprintf("deeper%d", c.n), name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	c.ledger.set(unsure, f.captures...)
	if err := os.Rename(f.path, to); err != nil {
		return err
	}
	left := filepath.Dir(f.path)
	f.path = to
	if left != c.folder {
		_ = os.Remove(left) // it is empty now, but for what others put there
	}
	return c.settle(ctx, f.whole(), there, f.last(), func(line string) bool {
		return !strings.Contains(line, "\n") && strings.HasSuffix(line, " "+name)
	})
}

// damage replaces a file by one of which a record can't be read.
func (c *churn) damage(ctx context.Context) error {
	f := c.choose()
	if len(f.captures) < 5 {
		return nil
	}
	bad := 1 + c.random.IntN(len(f.captures)-2)
	hit, members := f.captures[bad], slices.Clone(f.members)
	c.ledger.set(unsure, f.captures...)
	members[bad] = []byte(strings.Repeat("damaged ", 1+len(members[bad])/8))
	if err := write(c.scratch, f.path, members); err != nil {
		return err
	}
	f.captures, f.members = slices.Delete(f.captures, bad, bad+1), slices.Delete(members, bad, bad+1)
	for _, r := range f.captures {
		if r.original == hit {
			f.orphans = append(f.orphans, r)
		}
	}
	if err := c.settle(ctx, []*capture{hit}, absent, hit, func(line string) bool { return line == "" }); err != nil {
		return err
	}
	return c.settle(ctx, f.whole(), there, f.last(), func(line string) bool { return line != "" })
}

// remove removes the oldest file.
func (c *churn) remove(ctx context.Context) error {
	f := c.files[0]
	c.files = c.files[1:]
	c.ledger.set(unsure, f.captures...)
	if err := os.Remove(f.path); err != nil {
		return err
	}
	return c.settle(ctx, f.captures, absent, f.last(), func(line string) bool { return line == "" })
}

// settle waits until the index line of by is as is wants, and for present captures until by can be replayed and the revisits among captures
// have found their originals, which they do after a whole pass over the files. Then it sets the state of the captures as certain, and from
// then on every answer is checked against it.
func (c *churn) settle(ctx context.Context, captures []*capture, s state, by *capture, is func(line string) bool) error {
	target := fmt.Sprintf("/web/cdx?url=%s&from=%s&to=%[2]s&fl=timestamp,filename", url.QueryEscape(by.uri), by.ts())
	if by.sent != "" {
		return errors.New("a POST capture can't tell when its file is there")
	}
	line, began := "", time.Now()
	for time.Since(began) < patience {
		a, err := c.client.do(ctx, &question{method: "GET", target: target})
		if err != nil {
			return err
		}
		if line = strings.TrimSpace(string(a.body)); a.status == 200 && is(line) && (s != there || c.replays(ctx, captures, by)) {
			c.ledger.set(s, captures...)
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("%s at %s is listed as %q %v after its file changed", by.uri, by.ts(), line, patience)
}

// replays reports whether a capture, and the revisits among others, can be replayed.
func (c *churn) replays(ctx context.Context, others []*capture, by *capture) bool {
	for _, r := range others {
		if r != by && r.original == nil {
			continue
		}
		a, err := c.client.do(ctx, &question{method: "GET", target: "/web/" + r.ts() + "id_/" + r.uri})
		if err != nil || a.status != r.status || a.header.Get("Memento-Datetime") == "" {
			return false
		}
	}
	return true
}
