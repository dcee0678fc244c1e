package forward_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/varve-archive/varve/internal/forward"
)

func TestCAIsCreatedOnceAndRestricted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", "proxy")
	start := func() error {
		_, err := forward.LoadAuthority(dir, false)
		return err
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
	certFile, keyFile := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "ca.key")
	first, err := os.ReadFile(certFile)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(keyFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v %v", info.Mode(), err)
	}
	block, _ := pem.Decode(first)
	ca, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if years := time.Until(ca.NotAfter).Hours() / 24 / 365; years < 9 {
		t.Errorf("browsers have to trust another CA in %.1f years", years)
	}
	if !ca.IsCA || !ca.MaxPathLenZero || ca.KeyUsage != x509.KeyUsageCertSign || len(ca.ExtKeyUsage) != 1 ||
		ca.ExtKeyUsage[0] != x509.ExtKeyUsageServerAuth ||
		!strings.Contains(ca.Subject.CommonName, "varve") {
		t.Errorf("CA %v, path %v, usage %v %v, name %s", ca.IsCA, ca.MaxPathLenZero, ca.KeyUsage, ca.ExtKeyUsage, ca.Subject)
	}

	if err := os.Chmod(keyFile, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := start(); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.ReadFile(certFile); string(again) != string(first) {
		t.Error("a second start made another CA")
	}
	if info, _ := os.Stat(keyFile); info.Mode().Perm() != 0o600 {
		t.Errorf("a key that others can read stays so: %v", info.Mode())
	}

	if err := os.Remove(keyFile); err != nil {
		t.Fatal(err)
	}
	if err := start(); err == nil || !strings.Contains(err.Error(), keyFile) {
		t.Errorf("a certificate without key: %v", err)
	}
	if again, _ := os.ReadFile(certFile); string(again) != string(first) {
		t.Error("a certificate without key was replaced")
	}
	if err := os.WriteFile(keyFile, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := start(); err == nil || !strings.Contains(err.Error(), keyFile) {
		t.Errorf("a broken key: %v", err)
	}
}

// Where nothing may be written no CA is made and no right changed, and what is left of a CA is never replaced by another.
func TestWhatIsLeftOfACA(t *testing.T) {
	whole := t.TempDir()
	if _, err := forward.LoadAuthority(whole, false); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, files string // that are there
		readOnly    bool
		key         os.FileMode
		fault       string
	}{
		{"nothing, read-only", "", true, 0o600, "there is no CA in"},
		{"all, read-only", "ca.pem ca.key", true, 0o600, ""},
		{"all, read-only, open to others", "ca.pem ca.key", true, 0o640, "chmod 600"},
		{"a certificate", "ca.pem", false, 0o600, "restore it"},
		{"a certificate, read-only", "ca.pem", true, 0o600, "restore it"},
		{"a key", "ca.key", false, 0o600, "restore it"},
		{"a key, read-only", "ca.key", true, 0o600, "restore it"},
	} {
		dir := t.TempDir()
		for _, name := range strings.Fields(tt.files) {
			text, err := os.ReadFile(filepath.Join(whole, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, tt.key); err != nil {
				t.Fatal(err)
			}
		}
		_, err := forward.LoadAuthority(dir, tt.readOnly)
		if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.fault)
		}
		if rest, _ := os.ReadDir(dir); len(rest) != len(strings.Fields(tt.files)) {
			t.Errorf("%s: has become %v", tt.name, rest)
		}
	}
}

// An expired CA is refused with what to do about it: browsers would refuse every page. One that was put in its place is used.
func TestExpiredAndReplacedCAs(t *testing.T) {
	dir := t.TempDir()
	start := func() error {
		_, err := forward.LoadAuthority(dir, false)
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, der []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		ends  time.Duration // from now
		isCA  bool
		fault string
	}{
		{"expired", -time.Hour, true, "remove it and"},
		{"no CA", time.Hour, false, "remove it and"},
		{"replaced", time.Hour, true, ""},
	} {
		template := &x509.Certificate{
			SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(c.ends),
			IsCA: c.isCA, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		}
		der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
		if err != nil {
			t.Fatal(err)
		}
		write("ca.pem", "CERTIFICATE", der)
		written, err := os.ReadFile(filepath.Join(dir, "ca.pem"))
		if err != nil {
			t.Fatal(err)
		}
		write("ca.key", "PRIVATE KEY", keyDER)
		switch err := start(); {
		case c.fault == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s: %v, want what to do", c.name, err)
		}
		if kept, _ := os.ReadFile(filepath.Join(dir, "ca.pem")); !bytes.Equal(kept, written) {
			t.Errorf("%s: the certificate was replaced", c.name)
		}
	}
}
