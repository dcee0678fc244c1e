package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/varve-archive/varve/archive/access/rulesfile"
	"github.com/varve-archive/varve/archive/blobstore"
	"github.com/varve-archive/varve/cdx"
	"github.com/varve-archive/varve/cmd/varve/config"
)

// Flags are the flags of the commands that serve.
type Flags struct {
	Listen    string `help:"Address to listen on; port 0 picks a free one." default:"127.0.0.1:8080" placeholder:"ADDR" cfg:""`
	PublicURL string `help:"How clients reach the server; may have a path." placeholder:"URL" cfg:""`
	ReplayURL string `help:"Separate origin for archived pages." placeholder:"URL" cfg:""`

	Cors []string `help:"Origins whose pages may read answers, * for all; else all but bytes on loopback." placeholder:"ORIGIN" cfg:""`

	Search bool `help:"Keep the change-text search up to date with the index." default:"true" negatable:"" cfg:""`

	Proxy         string `help:"Address for proxy mode: the archived web at its original addresses." placeholder:"ADDR" cfg:""`
	ProxyDatetime string `help:"What proxy clients see who choose no datetime: YYYYMMDDhhmmss or its start." placeholder:"TS" cfg:""`
	ProxyBanner   bool   `help:"Show banner and landing pages in proxy mode." default:"true" cfg:""`

	Uploads     *bool         `help:"Take files dropped on pages; else only on loopback without --public-url." negatable:"" cfg:""`
	UploadTo    string        `help:"Folder or s3://BUCKET/PREFIX for taken files, else a watched folder." placeholder:"DIR" cfg:""`
	UploadLimit config.Volume `help:"Largest file that is taken." default:"10GB" placeholder:"SIZE" cfg:""`
	Crawls      *bool         `help:"Show, steer, order, run crawls; else only on loopback without --public-url." negatable:"" cfg:""`

	Render bool `help:"Picture versions of pages in Chromium while nobody asks for anything." cfg:""`

	Hub string `help:"WebSub hub that feeds name; varve notify tells it of changes." placeholder:"URL" cfg:""`

	Drain time.Duration `help:"How long to serve on when told to end, no longer ready, for balancers to notice." placeholder:"TIME" cfg:""`

	Access string   `help:"YAML file with access rules, or pywb's .aclj; read again when it changes." placeholder:"FILE" cfg:""`
	Trust  []string `help:"Addresses or networks of front servers that name a reader's group in X-Varve-Group." placeholder:"ADDR" cfg:""`
}

// Validate checks the flags; kong calls it after parsing.
func (f *Flags) Validate() error {
	if f.Access != "" {
		if _, err := rulesfile.Read(f.Access); err != nil {
			return fmt.Errorf("--access: %w", err)
		}
	}
	_, badTrust := f.trusted()
	_, err := f.proxyDatetime()
	if f.UploadTo != "" && blobstore.Check(f.UploadTo) != nil {
		err = errors.Join(err, fmt.Errorf("--upload-to: %w", blobstore.Check(f.UploadTo)))
	}
	return errors.Join(badTrust, err)
}

func (f *Flags) trusted() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range f.Trust {
		p, err := netip.ParsePrefix(s)
		if a, bad := netip.ParseAddr(s); bad == nil {
			p, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("--trust %q: want an address such as 127.0.0.1, or a network such as 10.0.0.0/8", s)
		}
		out = append(out, p)
	}
	return out, nil
}

// proxyDatetime returns the value of --proxy-datetime, 0 without it.
func (f *Flags) proxyDatetime() (cdx.Timestamp, error) {
	if f.ProxyDatetime == "" {
		return 0, nil
	}
	ts, err := cdx.ParseTimestamp(f.ProxyDatetime)
	if err != nil {
		return 0, fmt.Errorf("--proxy-datetime %q: want YYYYMMDDhhmmss or its beginning", f.ProxyDatetime)
	}
	return ts, nil
}

// loopback reports whether the server listens where this machine alone reaches it.
func (f *Flags) loopback() bool {
	host, _, err := net.SplitHostPort(f.Listen)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// private reports whether the server is only for this machine, with none in front. Then any site that somebody visits on it could query
// the server.
func (f *Flags) private() bool { return f.loopback() && f.PublicURL == "" }

// may reports whether the server does what it does for its own machine only unless a flag says more, and whether the flag does.
func (f *Flags) may(flag *bool) (may, asked bool) {
	if flag != nil {
		return *flag, *flag
	}
	return f.private(), false
}
