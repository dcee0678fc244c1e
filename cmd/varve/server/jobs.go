package server

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/varve-archive/varve/cmd/varve/gathering"
	"github.com/varve-archive/varve/gather/crawl"
	"github.com/varve-archive/varve/internal/sleep"
	"github.com/varve-archive/varve/replay/pages/jobs"
	"github.com/varve-archive/varve/replay/pages/settings"
)

// orders says where crawls are ordered.
func (s *server) orders() *jobs.Config {
	return &jobs.Config{Folder: s.Jobs(), Default: s.Collection, Check: func(file string) (string, []string, error) {
		set, err := gathering.CheckJob(file, !s.cfg.private())
		if wrong, ok := errors.AsType[*crawl.Error](err); ok {
			err = &jobs.Fault{Key: wrong.Key, Line: wrong.Line, Err: wrong.Err}
		}
		return set.Name, set.Seeds, err
	}}
}

// saves says where templates and rankings are saved, nil for nowhere: who may order crawls may save them.
func (s *server) saves() *settings.Config {
	may, asked := s.cfg.may(s.cfg.Crawls)
	if !may {
		return nil
	}
	return &settings.Config{Store: s.Collections, Asked: asked, ReadOnly: s.ReadOnly, Log: s.Log()}
}

const (
	jobsRestart = 5 * time.Second  // until the process that takes jobs is started again
	jobsEndTime = 30 * time.Second // that it has to end in
)

// takeJobs keeps a process beside this one that runs the crawls that are left as jobs, until ctx ends. This one asks the live web for
// nothing.
func (s *server) takeJobs(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.runJobs(ctx)
		if ctx.Err() != nil {
			return
		}
		s.Log().Error("the process that runs crawls has ended, and is started again", "error", err)
		_ = sleep.For(ctx, jobsRestart)
	}
}

// runJobs runs that process. It ends when its standard input does, so also if this one is killed.
func (s *server) runJobs(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, "crawl", "--wait", "--beside")
	cmd.Env = append(os.Environ(), s.jobsSettings()...)
	open, lives, err := os.Pipe()
	if err != nil {
		return err
	}
	defer open.Close()
	cmd.Stdin, cmd.Stderr, cmd.Stdout = open, s.Stderr, io.Discard
	cmd.Cancel, cmd.WaitDelay = lives.Close, jobsEndTime
	err = cmd.Run()
	_ = lives.Close()
	return err
}

// jobsSettings are the settings of this process, as variables: others on this machine can read arguments, and addresses may have passwords.
func (s *server) jobsSettings() (variables []string) {
	format := "text"
	if s.JSON {
		format = "json"
	}
	for _, v := range []struct{ name, value string }{
		{"LOG_LEVEL", s.Level.Level().String()},
		{"LOG_FORMAT", format},
		{"COLLECTION", s.Collection},
		{"DATA", s.Data},
		{"CONFIG", s.Collections.File()},
		{"INDEX", s.Database},
		{"SEARCH_ENGINE", s.SearchEngine},
		{"S3_ENDPOINT", s.S3Endpoint},
		{"CACHE_DIR", s.CacheDir},
		{"CACHE_SIZE", strconv.FormatInt(s.CacheSize, 10)},
	} {
		variables = append(variables, "VARVE_"+v.name+"="+v.value)
	}
	return variables
}
