//go:build linux || darwin

package chromium_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/chromium"
)

func TestUserAgent(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"echo 'Chromium 156.0.8078.108'":                                       "Chrome/156.0.0.0",
		"echo 'Chromium 99.0.4844.51 built on Debian GNU/Linux 12 (bookworm)'": "Chrome/99.0.0.0",
		"echo 'Google Chrome 120.0.6099.109 unknown'":                          "Chrome/120.0.0.0",
		"echo Chromium":                          "",
		"exit 1":                                 "",
		"echo 'Chromium 156.0.8078.108'; exit 1": "",
	} {
		path := filepath.Join(t.TempDir(), "browser")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n[ \"$*\" = --version ] || exit 1\n"+printed+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		got := chromium.UserAgent(path, "me (+http://a.example)")
		own, isBrowser := strings.CutSuffix(got, " Safari/537.36 me (+http://a.example)")
		if want == "" && got != "me (+http://a.example)" || want != "" && (!isBrowser || !strings.HasPrefix(own, "Mozilla/5.0 (") ||
			!strings.HasSuffix(own, ") AppleWebKit/537.36 (KHTML, like Gecko) "+want)) {
			t.Errorf("%s: %q", printed, got)
		}
	}
}
