// Command varve replays web archives and knows when a page changed.
//
// It reads WARC and ARC files, indexes them, and serves them with Memento, a CDX API and a banner whose arrows lead
// from change to change. Run "varve --help" for the commands, "varve COMMAND --help" for one of them.
//
// Exit codes: 0 done, 1 work failed in part (named on standard error), 2 wrong usage, 129, 130 or 143 interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), stopping()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// stopping returns the signals that ask varve to stop: also that of a terminal that closes, unless varve was started to outlive it, as by
// nohup.
func stopping() []os.Signal {
	stop := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		stop = append(stop, syscall.SIGHUP)
	}
	return stop
}

// Exit codes (README, "Your own archive").
const (
	exitDone  = 0
	exitPart  = 1
	exitUsage = 2
	// exitInterrupted plus the number of the signal (129, 130, 143) says that a command was interrupted before it was done. For commands that
	// run until they are stopped, such as servers, recorders and followers, a signal means done.
	exitInterrupted = 128
)

// verbatim takes an argument byte for byte. kong's own way goes through JSON, which loses names of files that aren't UTF-8.
func verbatim(c *kong.DecodeContext, to reflect.Value) error {
	t, err := c.Scan.PopValue("string")
	if err != nil {
		return err
	}
	if s, ok := t.Value.(string); ok {
		to.SetString(s)
		return nil
	}
	c.Scan.PushToken(t)
	return c.Scan.PopValueInto("string", to.Addr().Interface())
}

// run is the whole program except for its process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c cli
	var file *config.File
	exit := -1
	parser, err := kong.New(&c,
		kong.Name("varve"),
		kong.Description("Replays web archives and knows when a page changed."),
		kong.UsageOnError(),
		kong.PostBuild(nameVariables),
		kong.Configuration(func(r io.Reader) (resolver kong.Resolver, err error) {
			file, err = config.Read(r)
			return file, err
		}),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exit = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ValueFormatter(withDefault),
		kong.KindMapper(reflect.String, kong.MapperFunc(verbatim)),
	)
	if err != nil {
		fmt.Fprintln(stderr, "varve:", err)
		return exitUsage
	}
	kongcompletion.Register(parser, kongcompletion.WithExitFunc(func(code int) { exit = code }))
	if exit >= 0 { // a shell asked for completions
		return exit
	}
	kctx, err := parser.Parse(asFlags(args))
	if exit >= 0 { // after --help or --version
		return exit
	}
	if err != nil {
		fmt.Fprintf(stderr, "varve: %v\n", err)
		showUsage(err, stderr)
		return exitUsage
	}
	w, err := c.workspace(file, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "varve:", err)
		return exitUsage
	}
	log.SetFlags(0) // what net/http and libraries have to say, such as of servers that send more than they announced
	log.SetOutput(slog.NewLogLogger(w.Log().Handler(), slog.LevelDebug).Writer())
	name, _, _ := strings.Cut(kctx.Command(), " ")
	untilStopped := false // the command is done when it is told to stop
	switch name {
	case "serve", "demo", "record", "follow", "notify":
		untilStopped = true
	}
	kctx.BindTo(ctx, (*context.Context)(nil))
	err = kctx.Run(w)
	if errors.Is(err, kv.ErrInUse) {
		if code, ok := askServer(ctx, w, name, kctx.Selected().Target.Addr().Interface()); ok {
			return code
		}
	}
	code := exitCode(w, err, untilStopped)
	if code == exitInterrupted {
		code += interruption(ctx)
	}
	return code
}

// interruption returns the number of the signal that ended a context, as shells add it to an exit code.
func interruption(ctx context.Context) int {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if strings.Contains(fmt.Sprint(context.Cause(ctx)), s.String()) {
			return int(s)
		}
	}
	return int(syscall.SIGINT)
}

// exitCode reports err with a hint, and returns the exit code.
func exitCode(w *workspace.Workspace, err error, untilStopped bool) int {
	switch {
	case err == nil, errors.Is(err, context.Canceled) && untilStopped:
		return exitDone
	case errors.Is(err, console.ErrStopped):
		return exitInterrupted
	case errors.Is(err, context.Canceled):
		w.Say("interrupted: run the same command again to go on")
		return exitInterrupted
	case errors.Is(err, console.ErrUsage):
		return exitUsage
	case errors.Is(err, console.ErrPart):
		return exitPart
	case errors.Is(err, kv.ErrInUse):
		fmt.Fprintf(w.Stderr, "varve: %s is in use by another varve%s: stop it, or ask it over HTTP (for example /%s/cdx?url=…)\n",
			w.Data, w.Serving(), w.Collection)
	default:
		lines := strings.Split(err.Error(), "\n") // of several errors
		for i := range lines {
			lines[i] = console.OneLine(lines[i])
		}
		fmt.Fprintf(w.Stderr, "varve: %s%s\n", strings.Join(lines, "\n"), console.Advice(err))
	}
	return exitPart
}
