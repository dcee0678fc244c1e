package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/gather/follow"
	"github.com/varve-archive/varve/gather/follow/status"
	"github.com/varve-archive/varve/gather/notify"
	"github.com/varve-archive/varve/internal/loadlimit"
)

type followCmd struct {
	File     string `arg:"" name:"file" help:"A file of sources (YAML)."`
	Once     bool   `help:"Do what is due now, and end."`
	Status   bool   `help:"Print how the sources are, and ask nobody."`
	JSON     bool   `name:"json" help:"With --status: as JSON."`
	TakeBack string `help:"Follow a source again that was set aside." placeholder:"URL"`
	Warcs    string `help:"Folder or s3://BUCKET/PREFIX for WARCs, else warcs/COLLECTION in --data." placeholder:"DIR" cfg:""`
}

// Validate checks the flags; kong calls it after parsing.
func (c *followCmd) Validate() error {
	n := 0
	for _, on := range []bool{c.Once, c.Status, c.TakeBack != ""} {
		if on {
			n++
		}
	}
	switch {
	case n > 1:
		return errors.New("--once, --status and --take-back each go without the others")
	case c.JSON && !c.Status:
		return errors.New("--json goes with --status")
	}
	return checkWarcs(c.Warcs)
}

// Run follows the sources of a file.
func (c *followCmd) Run(ctx context.Context, p *program) error {
	set, err := follow.Load(c.File)
	if err != nil {
		p.say(err.Error())
		return errUsage
	}
	if set.Collection != "" {
		p.Collection = set.Collection
	}
	set.Collection = p.Collection
	if c.Status {
		return c.status(p, set)
	}
	g, err := p.gather(ctx, c.Warcs, set.Name)
	if err != nil {
		return err
	}
	return (&followJob{gathering: g, cmd: c, settings: set}).open(ctx)
}

// follows is where those who follow keep what they know, in a folder for each name.
func (p *program) follows() status.Folder { return status.Folder(filepath.Join(p.Data, "follow")) }

// silence is how old a status may be of a process that is there: it writes one each second, with thousands of sources less often.
const silence = 2 * time.Minute

// status prints how the sources are. Those that were never asked are there too.
func (c *followCmd) status(p *program, set follow.Settings) error {
	s, err := p.follows().Get(set.Name)
	if errors.Is(err, status.ErrUnknown) {
		s = status.Status{Name: set.Name, Collection: set.Collection, Policy: string(set.Policy)}
		for i := range set.Sources {
			kind, address := set.Sources[i].Kind()
			s.Sources = append(s.Sources, status.Source{Kind: kind, URL: address})
		}
	} else if err != nil {
		return err
	}
	s.Running = s.Running && time.Since(s.Written) < silence
	if c.JSON {
		return p.printJSON(s)
	}
	return s.Table(p.stdout, time.Now())
}

// A followJob is a run of who follows.
type followJob struct {
	*gathering
	cmd      *followCmd
	settings follow.Settings
}

func (j *followJob) open(ctx context.Context) (err error) {
	store, err := badger.Open(filepath.Join(j.follows().Home(j.settings.Name), "state"), j.log())
	if errors.Is(err, kv.ErrInUse) {
		return fmt.Errorf("%s is followed already by another process: give another file a name of its own", j.settings.Name)
	} else if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	cfg := follow.Config{
		Settings: j.settings, Store: store, Dir: j.dir, Mark: j.mark(), Storage: j.storage, Status: j.follows(),
		Software: "varve/" + version(), Agent: crawlAgent(), Log: j.log(), Taken: j.takeIn,
	}
	if j.to != nil {
		cfg.Find = j.to.Find
	}
	f, err := follow.New(ctx, cfg)
	if err != nil {
		return err
	}
	if j.cmd.TakeBack != "" {
		return errors.Join(f.TakeBack(ctx, j.cmd.TakeBack), f.Close())
	}
	return j.follow(ctx, f)
}

// follow follows until what was due is done, or ctx ends, and has what it captured indexed.
func (j *followJob) follow(ctx context.Context, f *follow.Follower) error {
	told, err := j.telling(ctx)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	moving := j.keepMoving(ctx)
	problems := 0
	if j.cmd.Once {
		problems, err = f.Once(ctx)
		err = errors.Join(err, told.once(ctx))
	} else {
		err = j.serve(ctx, f)
	}
	moving()
	err = errors.Join(err, told.close())
	if err == nil && problems > 0 {
		err = errPart
	}
	s := f.Status()
	j.say(fmt.Sprintf("follow %s: %s, %d new, %d changed, %s today, %s waiting", s.Name, counted(int64(len(s.Sources)), "source"),
		s.New, s.Changed, counted(s.Today.Requests, "request"), counted(int64(s.Waiting), "page")))
	if s.Spent() {
		j.say("the budget of the day is spent: what is left comes tomorrow (UTC)")
	}
	return errors.Join(err, f.Close(), j.takeIn(context.WithoutCancel(ctx)))
}

// serve follows until ctx ends, and takes what hubs and sites say meanwhile.
func (j *followJob) serve(ctx context.Context, f *follow.Follower) error {
	listen := j.settings.Push.Listen
	if listen == "" {
		return f.Run(ctx)
	}
	l, err := net.Listen("tcp", onLoopback(listen))
	if err != nil {
		return fmt.Errorf("push: can't listen on %s: %w", listen, err)
	}
	server := &http.Server{
		Handler: loadlimit.Guard(f.Handler()), ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout,
		ReadTimeout: time.Minute,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	fmt.Fprintf(j.stdout, "varve: hubs and sites reach this at http://%s/\n", l.Addr())
	err = f.Run(ctx)
	closed := server.Close()
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return errors.Join(err, closed)
}

// A telling is who tells others of changes while sources are followed; nil if nobody is told.
type telling struct {
	*notify.Notifier
	running chan error // of a notifier that runs beside; nil for one that looks once
	stop    context.CancelFunc
}

// telling returns who tells of changes. Unless it looks once, it begins to.
func (j *followJob) telling(ctx context.Context) (*telling, error) {
	if len(j.settings.Notify) == 0 {
		return nil, nil
	}
	set := j.settings.Notifies(j.servingCollection())
	if set.Archive == "" {
		j.say("notify: nobody is told of changes: no server has the index open, and the file names no archive")
		return nil, nil
	}
	if err := set.Check(os.Getenv); err != nil {
		return nil, err
	}
	n, err := j.notifier(&set)
	if err != nil {
		return nil, err
	}
	t := &telling{Notifier: n}
	if !j.cmd.Once {
		t.running = make(chan error, 1)
		ctx, t.stop = context.WithCancel(ctx)
		go func() { t.running <- t.Run(ctx) }()
	}
	return t, nil
}

// once looks once.
func (t *telling) once(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return allTold(t.Once(ctx))
}

// close ends one that runs.
func (t *telling) close() (err error) {
	if t == nil {
		return nil
	}
	if t.running != nil {
		t.stop()
		err = <-t.running
	}
	return errors.Join(err, t.Store.Close())
}
