// Package console is the output of a command: data on standard output; sentences, the log and progress on standard error.
package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/varve-archive/varve/internal/disk"
	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrPart says that some of the work failed. Its parts have been reported already.
const ErrPart = sentinel.Error("some of the work failed")

// ErrUsage says that varve was used wrongly, which has been reported already.
const ErrUsage = sentinel.Error("wrong usage")

// ErrStopped says that a signal cut the work short, which has been reported already, with how to go on.
const ErrStopped = sentinel.Error("stopped by a signal")

// A Console is the two output streams of a command, with the format of the log.
type Console struct {
	Stdout, Stderr io.Writer
	JSON           bool // the log is JSON, for programs
	Level          Level
}

// Log returns the log.
func (c *Console) Log() *slog.Logger {
	o := &slog.HandlerOptions{Level: c.Level}
	if c.JSON {
		return slog.New(slog.NewJSONHandler(c.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(c.Stderr, o))
}

// Say tells a person a sentence. If the log is for programs, it is a line of the log.
func (c *Console) Say(sentence string) {
	if c.JSON {
		c.Log().Info(sentence)
		return
	}
	fmt.Fprintf(c.Stderr, "varve: %s\n", OneLine(sentence))
}

// OneLine returns s with control characters and what is no UTF-8 as Go writes them in strings (\x1b). Names of files and archived addresses
// may have them in order to move the cursor of a terminal or to begin a line of their own.
func OneLine(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch c := s[i]; {
		case r == utf8.RuneError && c != "\uFFFD"[0]:
			fmt.Fprintf(&b, `\x%02x`, c)
		case unicode.IsControl(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Sayf is [Console.Say] with a format.
func (c *Console) Sayf(format string, args ...any) { c.Say(fmt.Sprintf(format, args...)) }

// PrintJSON prints data as a line of JSON.
func (c *Console) PrintJSON(v any) error {
	out := json.NewEncoder(c.Stdout)
	out.SetEscapeHTML(false)
	return out.Encode(v)
}

// A Level is the lowest level of what is logged.
type Level struct{ least slog.Level }

func (l Level) Level() slog.Level { return l.least }

func (l *Level) UnmarshalText(text []byte) error {
	if l.least.UnmarshalText(text) != nil {
		return fmt.Errorf("%.40q: want debug, info, warn or error", text)
	}
	return nil
}

// Advice returns the end of a sentence about a full disk. It also recognizes the error by its text, since some libraries keep only that.
func Advice(err error) string {
	if errors.Is(err, disk.ErrFull) || strings.Contains(err.Error(), syscall.ENOSPC.Error()) {
		return ": make room on that disk and run the command again; indexing and crawls go on where they were"
	}
	return ""
}

// Count writes a number with a noun: "1 page", "2 pages".
func Count(n int64, noun string) string { return Plural(n, noun, noun+"s") }

// Plural writes a number with the words that fit it.
func Plural(n int64, one, more string) string {
	if n == 1 {
		more = one
	}
	return fmt.Sprintf("%d %s", n, more)
}
