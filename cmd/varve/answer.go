package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/varve-archive/varve/cmd/varve/control"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// A reader is a command that only reads the index. The server that has the index open can run it for another process.
type reader interface {
	Run(ctx context.Context, w *workspace.Workspace) error
}

// readers are the commands that only read, with their flags unset.
func readers() map[string]reader {
	return map[string]reader{
		"cdx": &cdxCmd{}, "changes": &changesCmd{}, "duplicates": &duplicatesCmd{}, "files": &filesCmd{}, "search": &searchCmd{},
		"similar": &similarCmd{}, "terms": &termsCmd{},
	}
}

// namesFiles reports whether a command reads other files than the index, whose paths may differ for the server.
func namesFiles(command any) bool {
	var files []string
	switch c := command.(type) {
	case *termsCmd:
		files = []string{c.Terms, c.Queries, c.URLs}
	case *searchCmd:
		files = append([]string{c.Evaluate, c.Topics}, c.Ranking...)
	}
	return slices.ContainsFunc(files, func(name string) bool { return name != "" })
}

// askServer lets the server that has the index open run a command. ok is false if the command isn't a reader, or no server answers.
func askServer(ctx context.Context, w *workspace.Workspace, name string, command any) (exit int, ok bool) {
	if readers()[name] == nil || namesFiles(command) {
		return 0, false
	}
	flags, err := json.Marshal(command)
	if err != nil {
		return 0, false
	}
	order := control.Order{Command: name, Collection: w.Collection, Flags: flags}
	exit, err = control.Client{Data: w.Data}.Run(ctx, order, w.Stdout, w.Stderr)
	if errors.Is(err, control.ErrNoServer) {
		return 0, false
	} else if err != nil {
		return exitCode(w, err, false), true
	}
	return exit, true
}

// answer runs a command for another process, and returns its exit code.
func answer(ctx context.Context, w *workspace.Workspace, o control.Order) int {
	command := readers()[o.Command]
	if command == nil {
		fmt.Fprintf(w.Stderr, "varve: a server doesn't run %q\n", o.Command)
		return exitUsage
	}
	if err := json.Unmarshal(o.Flags, command); err != nil {
		fmt.Fprintf(w.Stderr, "varve: the server that has the index can't read the flags, it may be of another version: %v\n", err)
		return exitUsage
	}
	return exitCode(w, command.Run(ctx, w), false)
}
