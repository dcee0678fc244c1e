package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/fields"
	"github.com/varve-archive/varve/archive/ingest"
	"github.com/varve-archive/varve/archive/search/opensearch"
	"github.com/varve-archive/varve/archive/search/rank"
	"github.com/varve-archive/varve/archive/searches"
	"github.com/varve-archive/varve/archive/warc/remote"
	"github.com/varve-archive/varve/replay/respond"
)

// cli is the command line. Its flags are also keys of --config, and settings VARVE_… variables ([nameVariables]).
type cli struct {
	common

	Serve      serveCmd      `cmd:"" help:"Index what is new under the paths and serve; without a path serve what is indexed."`
	Index      indexCmd      `cmd:"" help:"Index what is new under the paths (files, folders, globs; CDX and CDXJ files too) and exit."`
	Cdx        cdxCmd        `cmd:"" help:"Print index lines, all or for URLs, sorted."`
	Changes    changesCmd    `cmd:"" help:"Print the validity ranges of a URL."`
	Similar    similarCmd    `cmd:"" help:"Print captures of other URLs whose text is similar to that of a URL."`
	Duplicates duplicatesCmd `cmd:"" help:"Print the pairs of captures whose texts are nearly the same."`
	Search     searchCmd     `cmd:"" help:"Print the pages that had words in any version; --evaluate measures how good the order is."`
	Terms      termsCmd      `cmd:"" help:"Print the terms that were deleted or added in most changes."`
	Access     accessCmd     `cmd:"" help:"Explain what the access rules let readers see of a URL."`
	Crawl      crawlCmd      `cmd:"" help:"Crawl sites of the live web as a file says, or from URLs, into WARC files, and index them."`
	Follow     followCmd     `cmd:"" help:"Follow feeds, lists of sites and pages of the live web, and capture what is new or has changed."`
	Fetch      fetchCmd      `cmd:"" help:"Fetch mementos of other archives, by Memento, into WARC files, and index them."`
	Record     recordCmd     `cmd:"" help:"Record what a browser asks the live web for, as its proxy, into WARC files."`
	Notify     notifyCmd     `cmd:"" help:"Tell of changes by webhook, mail or WebSub, as a file says."`
	Export     exportCmd     `cmd:"" help:"Write captures of URLs, or all, as WARC, WACZ, CDXJ or JSONL."`
	Backup     backupCmd     `cmd:"" help:"Back up the index into a folder or a bucket, also while a server runs."`
	Restore    restoreCmd    `cmd:"" help:"Restore a backup into --data, or the database of --index, which has to be empty."`
	Check      checkCmd      `cmd:"" help:"Re-read what the index points at and report lost, moved or damaged records."`
	Files      filesCmd      `cmd:"" help:"List the indexed files."`
	Remove     removeCmd     `cmd:"" help:"Remove files from the index; the files themselves stay."`
	Demo       demoCmd       `cmd:"" help:"Write a small sample archive, index it and serve it."`
	PDFText    pdfTextCmd    `cmd:"" name:"pdf-text" hidden:"" help:"Read a PDF on standard input, print its text."`
	Version    versionCmd    `cmd:"" help:"Print version, commit and Go version."`
	Help       helpCmd       `cmd:"" help:"Show help, of a command if one is named."`
	Completion completionCmd `cmd:"" help:"Print what makes a shell complete varve's commands, flags and paths."`
	Man        manCmd        `cmd:"" help:"Print the manual page."`
}

// defaultData is that of --data.
const defaultData = "varve-data"

// common holds the flags of all commands.
type common struct {
	Version      versionFlag     `help:"Print version, commit and Go version."`
	Config       kong.ConfigFlag `help:"YAML file with values for the flags." placeholder:"FILE" cfg:""`
	Data         string          `help:"Folder of the index." default:"varve-data" placeholder:"DIR" cfg:""`
	Index        string          `help:"Database for the index: postgres://USER@HOST/DATABASE." placeholder:"URL" cfg:""`
	SearchStore  string          `help:"One search for all servers of --index: a folder or s3://BUCKET/PREFIX." placeholder:"PLACE" cfg:""`
	SearchEngine string          `help:"OpenSearch or Elasticsearch that has the search, instead of --data." placeholder:"URL" cfg:""`
	S3Endpoint   string          `name:"s3-endpoint" help:"Object storage of s3:// paths; without it Amazon's." placeholder:"URL" cfg:""`
	CacheDir     string          `help:"Folder for what was read of remote files; without it memory keeps some." placeholder:"DIR" cfg:""`
	CacheSize    int64           `help:"Most bytes in --cache-dir." default:"10000000000" placeholder:"N" cfg:""`
	Collection   string          `help:"Collection that indexing goes to." default:"web" placeholder:"NAME" cfg:""`
	LogFormat    string          `help:"Log as text or json." enum:"text,json" default:"text" cfg:""`
	LogLevel     level           `help:"Lowest level to log: debug, info, warn or error." default:"info" cfg:""`
}

// A program holds what commands need.
type program struct {
	common
	stdout, stderr io.Writer
	rankings       map[string]*rank.Ranking                               // by collection, as configured
	fields         map[string][]fields.Rule                               // by collection, as configured
	templates      *templates                                             // the same, and those beside captures
	abouts         map[string]respond.About                               // by collection, as configured
	unpack         func(ctx context.Context, path string) (string, error) // if nil, files that would have to be unpacked are refused
	pywb           *pywbInstallation                                      // nil unless one is served
	fills          bool                                                   // much is written to the index, and little read
	untilStopped   bool                                                   // the command is done when it is told to stop
	readOnly       bool                                                   // nothing is written to the folder of the data
	claims         *ingest.Claims                                         // files that readers hand in; may be nil
	s3             *s3.Client                                             // the object storage
	storage        *remote.Storage                                        // where stored files are
	engine         *opensearch.Cluster                                    // that has the search; nil if it is in a folder
	kept           *searches.Staging                                      // what indexing keeps for the search; may be nil
}

var collectionName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]*$`)

func (p *program) check() error {
	if !collectionName.MatchString(p.Collection) {
		return fmt.Errorf("--collection %q: a name begins with a letter or digit and has only a–z, 0–9, _, . and -", p.Collection)
	}
	var err error
	if p.s3, err = s3.New(p.S3Endpoint); err != nil {
		return fmt.Errorf("--s3-endpoint: %w", err)
	}
	if p.storage, err = remote.New(remote.Config{S3: p.s3, CacheDir: p.CacheDir, CacheSize: p.CacheSize}); err != nil {
		return fmt.Errorf("--cache-dir: %w", err)
	}
	return errors.Join(p.checkIndex(), p.checkSearchStore(), p.openEngine())
}

func (p *program) log() *slog.Logger {
	o := &slog.HandlerOptions{Level: p.LogLevel}
	if p.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(p.stderr, o))
	}
	return slog.New(slog.NewTextHandler(p.stderr, o))
}

// usable says which of some paths nothing can be indexed from. It is an error if there is no other.
func (p *program) usable(ctx context.Context, paths []string) (bad bool, err error) {
	wrong := ingest.Unusable(ctx, p.storage, paths)
	for _, problem := range wrong {
		p.say(problem.String())
	}
	if len(wrong) > 0 && len(wrong) == len(paths) {
		return true, errUsage
	}
	return len(wrong) > 0, nil
}

// say tells what is to be known, as a line of the log if that is for machines.
func (p *program) say(sentence string) {
	if p.LogFormat == "json" {
		p.log().Info(sentence)
		return
	}
	fmt.Fprintf(p.stderr, "varve: %s\n", sentence)
}

// A level is the lowest level of what is logged.
type level struct{ least slog.Level }

// Level implements [slog.Leveler].
func (l level) Level() slog.Level { return l.least }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (l *level) UnmarshalText(text []byte) error {
	if l.least.UnmarshalText(text) != nil {
		return fmt.Errorf("%.40q: want debug, info, warn or error", text)
	}
	return nil
}

// servingFile returns the file in which a server records its address, for commands that find the index in use.
func (p *program) servingFile() string { return filepath.Join(p.Data, "serving") }

// servingCollection returns the address of the collection there, "" if it isn't known.
func (p *program) servingCollection() string {
	if url := p.servingURL(); url != "" {
		return url + p.Collection + "/"
	}
	return ""
}

// servingURL returns the address of the server that has the index open, "" if it isn't known.
func (p *program) servingURL() string {
	b, err := os.ReadFile(p.servingFile())
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// serving says where the server is that has the index open, if that is known.
func (p *program) serving() string {
	if url := p.servingURL(); url != "" {
		return ", which serves at " + url
	}
	return ""
}
