package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"

	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// asFlags translates commands for help into flags: "varve" alone and "varve help" become "varve --help", and "varve help serve" becomes
// "varve serve --help".
func asFlags(args []string) []string {
	if len(args) == 0 {
		return []string{"--help"}
	}
	if args[0] == "help" {
		return append(args[1:len(args):len(args)], "--help")
	}
	return args
}

// withDefault adds the default of a flag to its help.
func withDefault(v *kong.Value) string {
	help := kong.DefaultHelpValueFormatter(v)
	if !v.HasDefault || v.Default == "" || v.IsBool() && v.Default == "false" {
		return help
	}
	if before, ok := strings.CutSuffix(help, ")."); ok {
		return before + ", default " + v.Default + ")."
	}
	return help + " (default " + v.Default + ")"
}

// showUsage shows the usage of a command after an error in its arguments.
func showUsage(err error, w io.Writer) {
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok && wrong.Context != nil && wrong.Context.Selected() != nil {
		app := wrong.Context.Kong
		app.Stdout = w
		_ = wrong.Context.PrintUsage(true)
		return
	}
	fmt.Fprintln(w, "varve: see varve --help")
}

// helpCmd only appears in the list of commands: [asFlags] replaces it.
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command."`
}

// Run does nothing, see above.
func (c *helpCmd) Run() error { return nil }

type completionCmd struct {
	Shell string `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish"`
}

// completions make a shell run this program, which reads the line from COMP_LINE. %[1]s is its path.
var completions = map[string]string{
	"bash": "complete -o default -o bashdefault -C %[1]s varve\n",
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -o default -o bashdefault -C %[1]s varve\n",
	"fish": "function __complete_varve\n    set -lx COMP_LINE (commandline -cp)\n    test -z (commandline -ct)\n" +
		"    and set COMP_LINE \"$COMP_LINE \"\n    %[1]s\nend\ncomplete -c varve -a \"(__complete_varve)\"\n",
}

// Run prints the script for a shell's start-up file.
func (c *completionCmd) Run(w *workspace.Workspace) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.Stdout, completions[c.Shell], "'"+strings.ReplaceAll(path, "'", `'\''`)+"'")
	return err
}

type manCmd struct{}

// Run prints the manual page, made from the help.
func (c *manCmd) Run(w *workspace.Workspace, app *kong.Kong) error {
	_, err := fmt.Fprint(w.Stdout, mangokong.NewManPage(1, app.Model).Build(roff.NewDocument()))
	return err
}
