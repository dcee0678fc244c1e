package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// release and revision are set by the build: -ldflags "-X main.release=… -X main.revision=…". Without them varve prints
// what Go recorded in the binary.
var release, revision string

type versionCmd struct{}

// Run prints the version in one line.
func (c *versionCmd) Run(w *workspace.Workspace) error {
	_, err := fmt.Fprintln(w.Stdout, versionLine())
	return err
}

// A versionFlag prints the version instead of running a command.
type versionFlag bool

// BeforeReset implements kong's hook.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	fmt.Fprintln(app.Stdout, versionLine())
	app.Exit(exitDone)
	return nil
}

func versionLine() string {
	return fmt.Sprintf("varve %s, commit %s, %s", version(), commit(), runtime.Version())
}

func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}

func commit() string {
	if revision != "" {
		return revision
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}
