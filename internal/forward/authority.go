package forward

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/elazarl/goproxy"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

// An Authority is the CA that signs certificates for the hosts of tunnels. Its own certificate is good for TLS servers
// only, and not for another CA.
type Authority struct {
	PEM    []byte // the certificate, for those who are to trust it
	DER    []byte // the same
	leaves *leaves
	sign   func(host string, ctx *goproxy.ProxyCtx) (*tls.Config, error)
}

// Paths of the certificate at a proxy's own address, in both forms.
const (
	PEMPath = "/ca.pem"
	DERPath = "/ca.crt"
)

// Serve sends the certificate: in the form of a path, PEM unless that is [DERPath].
func (ca *Authority) Serve(w http.ResponseWriter, r *http.Request, path string) {
	body, name := ca.PEM, "varve-proxy-ca.pem"
	if path == DERPath {
		body, name = ca.DER, "varve-proxy-ca.crt"
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-x509-ca-cert")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// Fingerprint returns the SHA-256 of the certificate, as people compare it.
func (ca *Authority) Fingerprint() string { return fmt.Sprintf("% X", sha256.Sum256(ca.DER)) }

const (
	caYears    = 10
	caCertFile = "ca.pem"
	caKeyFile  = "ca.key"
)

// LoadAuthority reads the CA in dir and creates one if there is none, unless it may only read. It never replaces an existing
// CA, because browsers trust it.
func LoadAuthority(dir string, readOnly bool) (*Authority, error) {
	certFile, keyFile := filepath.Join(dir, caCertFile), filepath.Join(dir, caKeyFile)
	certPEM, certErr := os.ReadFile(certFile)
	keyPEM, keyErr := os.ReadFile(keyFile)
	switch {
	case readOnly && errors.Is(certErr, os.ErrNotExist) && errors.Is(keyErr, os.ErrNotExist):
		return nil, fmt.Errorf("there is no CA in %s, and none can be made where nothing may be written: start the proxy once where that "+
			"folder can be written", dir)
	case errors.Is(certErr, os.ErrNotExist) && errors.Is(keyErr, os.ErrNotExist):
		var err error
		if certPEM, keyPEM, err = makeAuthority(dir); err != nil {
			return nil, err
		}
	case errors.Is(certErr, fs.ErrPermission) || errors.Is(keyErr, fs.ErrPermission):
		return nil, fmt.Errorf("%w: give varve the right to read it, or name another --data folder", errors.Join(certErr, keyErr))
	case certErr != nil || keyErr != nil:
		return nil, fmt.Errorf("%w: restore it, or remove both %s and %s to have a new CA made", errors.Join(certErr, keyErr), certFile, keyFile)
	}
	if err := restrict(keyFile, readOnly); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", certFile, keyFile, err)
	}
	if !pair.Leaf.IsCA || time.Now().After(pair.Leaf.NotAfter) {
		return nil, fmt.Errorf("%s is no certificate of a CA that is valid today: remove it and %s to have a new one made", certFile, keyFile)
	}
	return &Authority{PEM: certPEM, DER: pair.Certificate[0], leaves: newLeaves(), sign: goproxy.TLSConfigFromCA(&pair)}, nil
}

// restrict takes from everyone but its owner the right to read a key. Where nothing may be written it must be so already.
func restrict(keyFile string, readOnly bool) error {
	info, err := os.Stat(keyFile)
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	if readOnly {
		return fmt.Errorf("others have the right to read this key, and nothing may be written here: take it from them (chmod 600 %s)", keyFile)
	}
	if err := os.Chmod(keyFile, 0o600); err != nil {
		return fmt.Errorf("others have the right to read this key, and varve can't take it from them: %w", err)
	}
	return nil
}

// makeAuthority creates a CA and stores it in dir.
func makeAuthority(dir string) (certPEM, keyPEM []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, now := make([]byte, 16), time.Now()
	_, _ = rand.Read(serial) // can't fail: it ends the program instead
	serial[0] &= 0x7f        // a serial number must be positive
	template := &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(serial),
		Subject: pkix.Name{
			CommonName:   "varve local archive proxy " + hex.EncodeToString(serial[12:]),
			Organization: []string{"varve: shows archived pages, made and kept on the machine that runs it"},
		},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.AddDate(caYears, 0, 0),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	certPEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
	return certPEM, keyPEM, keepAuthority(dir, certPEM, keyPEM)
}

func keepAuthority(dir string, certPEM, keyPEM []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	keyFile, certFile := filepath.Join(dir, caKeyFile), filepath.Join(dir, caCertFile)
	err := errors.Join(os.WriteFile(keyFile, keyPEM, 0o600), os.WriteFile(certFile, certPEM, 0o644))
	if err != nil { // half a CA would be taken for one that lost the other half
		_, _ = os.Remove(keyFile), os.Remove(certFile)
	}
	return err
}

// configure returns the TLS configuration for a tunnel to host, such as "www.example.org:443".
func (ca *Authority) configure(host string, ctx *goproxy.ProxyCtx) (*tls.Config, error) {
	config, err := ca.sign(host, ctx)
	if err != nil {
		return nil, err
	}
	config.NextProtos = []string{"h2", "http/1.1"}
	config.MinVersion = tls.VersionTLS12
	return config, nil
}

// maxLeaves bounds how many certificates are cached, about 2 KB each.
const maxLeaves = 2000

// leaves caches the certificates of hosts, so that each is signed once. It implements [goproxy.CertStorage].
type leaves struct {
	kept   *lru.Cache[string, *tls.Certificate]
	making singleflight.Group
}

func newLeaves() *leaves {
	kept, _ := lru.New[string, *tls.Certificate](maxLeaves)
	return &leaves{kept: kept}
}

// Fetch returns the certificate of a host. It calls sign unless a cached one is valid for another day.
func (l *leaves) Fetch(host string, sign func() (*tls.Certificate, error)) (*tls.Certificate, error) {
	if c, ok := l.kept.Get(host); ok && time.Until(c.Leaf.NotAfter) > 24*time.Hour {
		return c, nil
	}
	c, err, _ := l.making.Do(host, func() (any, error) {
		c, err := sign()
		if err == nil {
			l.kept.Add(host, c)
		}
		return c, err
	})
	if err != nil {
		return nil, err
	}
	return c.(*tls.Certificate), nil
}
