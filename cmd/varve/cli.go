package main

import (
	"errors"
	"io"

	"github.com/alecthomas/kong"

	"github.com/varve-archive/varve/cmd/varve/config"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
)

// cli is the command line. Its flags are also keys of --config and, if they are settings, VARVE_… variables ([nameVariables]).
type cli struct {
	common `embed:"" group:"Flags of every command:"`

	Serve      serveCmd      `cmd:"" help:"Index what is new under the paths and serve; without a path serve what is indexed."`
	Index      indexCmd      `cmd:"" help:"Index what is new under the paths (files, folders, globs; CDX and CDXJ files too) and exit."`
	Cdx        cdxCmd        `cmd:"" help:"Print index lines, all or for URLs, sorted."`
	Changes    changesCmd    `cmd:"" help:"Print the validity ranges of a URL."`
	Similar    similarCmd    `cmd:"" help:"Print captures of other URLs whose text is similar to that of a URL."`
	Duplicates duplicatesCmd `cmd:"" help:"Print groups of captures whose texts are nearly the same, and equal pictures."`
	Search     searchCmd     `cmd:"" help:"Print the pages that had words in any version; --evaluate measures how good the order is."`
	Terms      termsCmd      `cmd:"" help:"Print the terms that were deleted or added in most changes."`
	Access     accessCmd     `cmd:"" help:"Explain what the access rules let readers see of a URL."`
	Crawl      crawlCmd      `cmd:"" help:"Crawl sites of the live web as a file says, or from URLs, into WARC files, and index them."`
	Follow     followCmd     `cmd:"" help:"Follow feeds, lists of sites and pages of the live web, and capture what is new or has changed."`
	Fetch      fetchCmd      `cmd:"" help:"Fetch mementos of other archives, by Memento, into WARC files, and index them."`
	Record     recordCmd     `cmd:"" help:"Record what a browser asks the live web for, as its proxy, into WARC files."`
	Notify     notifyCmd     `cmd:"" help:"Tell of changes by webhook, mail or WebSub, as a file says."`
	Render     renderCmd     `cmd:"" help:"Picture versions of pages in Chromium, from the archive alone, for thumbnails and visual diffs."`
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

const defaultData = "varve-data"

// common holds the flags of all commands.
type common struct {
	Version      versionFlag     `help:"Print version, commit and Go version."`
	Config       kong.ConfigFlag `help:"YAML file with values for the flags." placeholder:"FILE" cfg:""`
	Data         string          `help:"Folder of the index." default:"varve-data" placeholder:"DIR" cfg:""`
	Index        string          `help:"Database for the index: postgres://USER@HOST/DATABASE." placeholder:"URL" cfg:""`
	SearchEngine string          `help:"OpenSearch or Elasticsearch that has the search, instead of --data." placeholder:"URL" cfg:""`
	S3Endpoint   string          `name:"s3-endpoint" help:"Object storage of s3:// paths; without it Amazon's." placeholder:"URL" cfg:""`
	CacheDir     string          `help:"Folder for what was read of remote files; without it memory keeps some." placeholder:"DIR" cfg:""`
	CacheSize    int64           `help:"Most bytes in --cache-dir." default:"10000000000" placeholder:"N" cfg:""`
	Collection   string          `help:"Collection that indexing goes to." default:"web" placeholder:"NAME" cfg:""`
	LogFormat    string          `help:"Log as text or json." enum:"text,json" default:"text" cfg:""`
	LogLevel     console.Level   `help:"Lowest level to log: debug, info, warn or error." default:"info" cfg:""`
}

func (c *common) workspace(file *config.File, stdout, stderr io.Writer) (*workspace.Workspace, error) {
	collections, badFile := file.Collections()
	said := &console.Console{Stdout: stdout, Stderr: stderr, JSON: c.LogFormat == "json", Level: c.LogLevel}
	w, err := workspace.New(said, workspace.Settings{
		Folder: workspace.Folder{Data: c.Data}, Database: c.Index, SearchEngine: c.SearchEngine,
		Collection: c.Collection,
		S3Endpoint: c.S3Endpoint, CacheDir: c.CacheDir, CacheSize: c.CacheSize, Version: version(), About: versionLine(),
	}, collections)
	return w, errors.Join(err, badFile)
}
