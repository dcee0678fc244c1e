package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/plainname"
)

// An OwnCrawl is a crawl of this process. The caller must end it.
type OwnCrawl struct {
	folder Folder
	name   string
	lock   *flock.Flock
}

// lockWait is how long a crawl waits for its lock, which others hold for a moment to check whether the crawl runs.
const lockWait = time.Second

// Begin locks a crawl for this process, and creates its folder. If another process has it, the error wraps [ErrRunning].
func (f Folder) Begin(ctx context.Context, name string) (*OwnCrawl, error) {
	if !plainname.IsShort(name) {
		return nil, fmt.Errorf("%.64q can't be the name of a crawl", name)
	}
	if err := os.MkdirAll(f.Home(name), 0o755); err != nil {
		return nil, err
	}
	m := &OwnCrawl{folder: f, name: name, lock: flock.New(f.file(name, lockFile))}
	limited, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	_, err := m.lock.TryLockContext(limited, 10*time.Millisecond)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("the crawl %s %w", name, ErrRunning)
	case err != nil:
		return nil, err
	}
	disk.RemoveAbandoned(f.Home(name), disk.HalfWritten, time.Now())
	_ = os.Remove(f.file(name, takenFile))
	if err := disk.Remove(f.file(name, orderFile)); err != nil { // of an earlier run
		return nil, errors.Join(err, m.lock.Close())
	}
	return m, nil
}

// End releases the crawl.
func (m *OwnCrawl) End() error { return m.lock.Close() }

// Write writes the progress of the crawl durably, as it is when a run begins and ends: the file alone has what earlier runs found.
func (m *OwnCrawl) Write(r Run) error {
	return m.write(r, func(text []byte) error { return disk.Write(m.folder.file(m.name, statusFile), text, 0o600) })
}

// publish writes the progress for a moment, until it is written again.
func (m *OwnCrawl) publish(r Run) error {
	return m.write(r, func(text []byte) error { return m.folder.write(m.name, statusFile, text) })
}

func (m *OwnCrawl) write(r Run, put func(text []byte) error) error {
	r.Written = time.Now().UTC()
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return put(text)
}

const writeInterval = time.Second

// Keep repeatedly writes the result of report, and passes orders to do, until stop is called.
func (m *OwnCrawl) Keep(report func() Run, do func(Order)) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		look, write := time.NewTicker(lookInterval), time.NewTicker(writeInterval)
		defer look.Stop()
		defer write.Stop()
		_ = m.publish(report()) // [OwnCrawl.Write] reports what fails, here and below
		for {
			select {
			case <-look.C:
				m.take(report, do)
			case <-write.C:
				_ = m.publish(report())
			case <-quit:
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// take carries out an order. The file of the order is removed once the report reflects it.
func (m *OwnCrawl) take(report func() Run, do func(Order)) {
	taken := m.folder.file(m.name, takenFile) // another order may arrive meanwhile
	if os.Rename(m.folder.file(m.name, orderFile), taken) != nil {
		return
	}
	defer os.Remove(taken)
	text, err := os.ReadFile(taken)
	if err != nil {
		return
	}
	if o := Order(text); o.Valid() {
		do(o)
		_ = m.publish(report())
	}
}
