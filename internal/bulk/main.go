// Bulk writes WARC files that are too large to be kept anywhere, for measuring. The same arguments give the same files.
//
//	go run ./internal/bulk many -captures 10000000 -originals 3000000 DIR
//	go run ./internal/bulk repeat -times 40 DIR FILE…
//	go run ./internal/bulk ask 30000@http://127.0.0.1:8080 3000000@http://127.0.0.1:8081
//
// many writes tiny captures of very many URI-Rs, some of which have very many of them: a tenth of all captures is of three.
// repeat writes the responses of existing files again and again, a day later each time: a store in which nearly every payload
// has been seen before. ask asks servers that have stores of many, and says how long each kind of request takes, and how many times as
// long as at the first.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/varve-archive/varve/internal/sentinel"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bulk:", err)
		os.Exit(1)
	}
}

const errUsage = sentinel.Error("usage: bulk many [flags] DIR, bulk repeat [flags] DIR FILE…, or bulk ask [flags] ORIGINALS@SERVER…")

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	switch args[0] {
	case "many":
		m := many{}
		flags.IntVar(&m.captures, "captures", 1_000_000, "captures in all")
		flags.IntVar(&m.originals, "originals", 300_000, "URI-Rs")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if flags.NArg() != 1 {
			return errUsage
		}
		return m.write(flags.Arg(0))
	case "repeat":
		times := flags.Int("times", 10, "how often each response is written")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if flags.NArg() < 2 {
			return errUsage
		}
		return repeat(ctx, flags.Arg(0), flags.Args()[1:], *times)
	case "ask":
		a := asker{}
		flags.IntVar(&a.requests, "requests", 2_000, "of each kind")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if flags.NArg() == 0 {
			return errUsage
		}
		for _, arg := range flags.Args() {
			s, err := parseAsked(arg)
			if err != nil {
				return err
			}
			a.servers = append(a.servers, s)
		}
		return a.write(ctx, os.Stdout)
	}
	return errUsage
}
