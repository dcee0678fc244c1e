package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release and revision are set by the build: -ldflags "-X main.release=… -X main.revision=…". Without them varve prints
// what Go recorded in the binary.
var release, revision string

type versionCmd struct{}

// Run prints the version in one line.
func (c *versionCmd) Run(p *program) error {
	fmt.Fprintf(p.stdout, "varve %s, commit %s, %s\n", version(), commit(), runtime.Version())
	return nil
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
