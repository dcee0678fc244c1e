package gathering

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/notify"
	"github.com/varve-archive/varve/internal/loadlimit"
)

// A Follow is a run of a follower whose captures go to an output.
type Follow struct {
	*Output
	Settings follow.Settings
	Once     bool   // do what is due now, then end
	Chromium string // the browser; "" for the first in the path
	TakeBack string // only resume this suspended source
}

// Run follows.
func (j *Follow) Run(ctx context.Context) (err error) {
	store, err := badger.Open(filepath.Join(j.Follows().Home(j.Settings.Name), "state"), j.Log())
	if errors.Is(err, kv.ErrInUse) {
		return fmt.Errorf("%s is followed already by another process: give another file a name of its own", j.Settings.Name)
	} else if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	cfg := follow.Config{
		Settings: j.Settings, Store: store, Dir: j.dir, Mark: j.mark(), Storage: j.Storage, Status: j.Follows(),
		Software: j.Software(), Agent: j.Agent(), Chromium: j.Chromium, Log: j.Log(), Taken: j.takeIn,
	}
	if j.to != nil {
		cfg.Find = j.to.Find
	}
	f, err := follow.New(ctx, cfg)
	if err != nil {
		return err
	}
	if j.TakeBack != "" {
		return errors.Join(f.TakeBack(ctx, j.TakeBack), f.Close())
	}
	return j.follow(ctx, f)
}

// follow follows until everything due is done, or ctx ends, and has captures indexed.
func (j *Follow) follow(ctx context.Context, f *follow.Follower) error {
	told, err := j.notifications(ctx)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	moving := j.keepMoving(ctx)
	problems := 0
	if j.Once {
		problems, err = f.Once(ctx)
		err = errors.Join(err, told.once(ctx))
	} else {
		err = j.serve(ctx, f)
	}
	moving()
	err = errors.Join(err, told.close())
	if err == nil && problems > 0 {
		err = console.ErrPart
	}
	s := f.Status()
	j.Sayf("follow %s: %s, %d new, %d changed, %s today, %s waiting", s.Name, console.Count(int64(len(s.Sources)), "source"),
		s.New, s.Changed, console.Count(s.Today.Requests, "request"), console.Count(int64(s.Waiting), "page"))
	if s.Spent() {
		j.Say("the budget of the day is spent: what is left comes tomorrow (UTC)")
	}
	return errors.Join(err, f.Close(), j.takeIn(context.WithoutCancel(ctx)))
}

// serve follows until ctx ends, and receives the messages of hubs and sites meanwhile.
func (j *Follow) serve(ctx context.Context, f *follow.Follower) error {
	listen := j.Settings.Push.Listen
	if listen == "" {
		return f.Run(ctx)
	}
	l, err := loadlimit.Local(listen)
	if err != nil {
		return fmt.Errorf("push: can't listen on %s: %w", listen, err)
	}
	server := loadlimit.Server(f.Handler(), nil)
	server.ReadTimeout = time.Minute
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	fmt.Fprintf(j.Stdout, "varve: hubs and sites reach this at http://%s/\n", l.Addr())
	err = f.Run(ctx)
	closed := server.Close()
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return errors.Join(err, closed)
}

// notifications sends notifications of changes while sources are followed; nil if there are none to send.
type notifications struct {
	*notify.Notifier
	running chan error // of a notifier that runs in parallel; nil for one that runs once
	stop    context.CancelFunc
}

// notifications returns the notifier, which is started unless it runs once.
func (j *Follow) notifications(ctx context.Context) (*notifications, error) {
	if len(j.Settings.Notify) == 0 {
		return nil, nil
	}
	set := j.Settings.Notifies(j.ServingCollection())
	if set.Archive == "" {
		j.Say("notify: nobody is told of changes: no server has the index open, and the file names no archive")
		return nil, nil
	}
	if err := set.Check(os.Getenv); err != nil {
		return nil, err
	}
	n, err := Notifier(j.Workspace, &set)
	if err != nil {
		return nil, err
	}
	t := &notifications{Notifier: n}
	if !j.Once {
		t.running = make(chan error, 1)
		ctx, t.stop = context.WithCancel(ctx)
		go func() { t.running <- t.Run(ctx) }()
	}
	return t, nil
}

// once sends the notifications that are due.
func (t *notifications) once(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return AllDelivered(t.Once(ctx))
}

// close ends a running notifier.
func (t *notifications) close() (err error) {
	if t == nil {
		return nil
	}
	if t.running != nil {
		t.stop()
		err = <-t.running
	}
	return errors.Join(err, t.Store.Close())
}
