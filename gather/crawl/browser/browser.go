package browser

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"log/slog"
	"time"

	"github.com/varve-archive/varve/internal/chromium"
)

// Config configures a [Browser].
type Config struct {
	Path      string // of Chromium; "" for the first that is found, see [chromium.Find]
	Dir       string // of its profile: created at the start and removed at the end
	Cookies   string // file that keeps the cookies between two runs, "" for none
	Proxy     string // host:port, through which everything goes
	CA        []byte // DER of the certificate that signs for the hosts behind the proxy
	UserAgent string
	Show      bool // with a visible window
	// Patience is the time limit for a page to load; it is a third of that for its requests to cease afterwards.
	Patience time.Duration
	Log      *slog.Logger
}

// A Browser is a Chromium process, which is restarted if it ends. It is safe for concurrent use.
type Browser struct {
	*chromium.Process
	cfg Config
	jar jar
}

// Start finds a browser and starts it. The caller must close it.
func Start(ctx context.Context, cfg Config) (*Browser, error) {
	cert, err := x509.ParseCertificate(cfg.CA)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	b := &Browser{cfg: cfg, jar: jar{path: cfg.Cookies}}
	b.Process, err = chromium.Start(ctx, chromium.Config{
		Path: cfg.Path, Dir: cfg.Dir, Proxy: cfg.Proxy, UserAgent: cfg.UserAgent, Show: cfg.Show, Started: b.jar.fill, Log: cfg.Log,
		Flags: map[string]any{
			"ignore-certificate-errors-spki-list": base64.StdEncoding.EncodeToString(key[:]), // as Chromium wants the key of the CA
			"autoplay-policy":                     "no-user-gesture-required",                // so that videos are asked for
			"disk-cache-size":                     "268435456",
		},
	})
	return b, err
}
