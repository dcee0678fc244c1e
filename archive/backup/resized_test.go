package backup_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/varve-archive/varve/internal/testkit/s3test"
)

// A bucket keeps content as it is, but may have a part of another size: what only began to arrive, or what another program put there.
func TestAPartOfAnotherSizeIsStoredAgain(t *testing.T) {
	for name, ruin := range map[string]func(part []byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"shorter": func(part []byte) []byte { return part[:len(part)-1] },
		"longer":  func(part []byte) []byte { return append(part, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			s := s3test.Memory(t).Make("backups")
			t.Setenv("TEST_ENDPOINT", s.URL)
			const at = "s3://backups/of varve"
			write(t, at, 0, some(5000))
			for _, key := range s.Keys("backups", "") {
				if strings.HasSuffix(key, ".zst") {
					s.Put("backups", key, ruin(s.Get("backups", key)))
				}
			}
			if again := write(t, at, 1, some(5000)); again.Parts == 0 || again.Fresh != again.Parts {
				t.Errorf("%d of %d parts were stored again", again.Fresh, again.Parts)
			}
			if got, _, err := read(t, at, ""); err != nil || !maps.Equal(got, some(5000)) {
				t.Errorf("%d entries, %v", len(got), err)
			}
		})
	}
}
