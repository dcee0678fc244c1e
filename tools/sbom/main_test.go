package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

const lock = `{"packages": {
	"": {"dependencies": {"@an/embedded": "^1.0.0"}},
	"node_modules/@an/embedded": {"version": "1.2.3", "license": "MIT", "integrity": "sha512-AAEC"},
	"node_modules/only-to-build": {"version": "9.9.9"}}}`

func writeLock(t *testing.T, content string) string {
	name := filepath.Join(t.TempDir(), "package-lock.json")
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// The binary of this test was linked by Go, so it names the library that this package needs.
func TestABinaryIsTakenApart(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var one, two bytes.Buffer
	for _, out := range []*bytes.Buffer{&one, &two} {
		if err := write(out, binary, "v1.0.0", writeLock(t, lock)); err != nil {
			t.Fatal(err)
		}
	}
	if one.String() != two.String() {
		t.Error("twice the same binary, two lists")
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(&one, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	if v := bom.Metadata.Component.Version; v != "v1.0.0" {
		t.Errorf("the program has version %q", v)
	}
	found := map[string]cdx.Component{}
	for _, c := range *bom.Components {
		found[c.Name] = c
	}
	library, ok := found["github.com/CycloneDX/cyclonedx-go"]
	if !ok || library.Version == "" || library.Hashes == nil {
		t.Errorf("the library it is linked with is listed as %+v", library)
	}
	if _, ok := found["std"]; !ok {
		t.Error("Go's own library is not listed")
	}
	script := found["@an/embedded"]
	if script.PackageURL != "pkg:npm/%40an/embedded@1.2.3" || (*script.Hashes)[0].Value != "000102" {
		t.Errorf("the embedded script is listed as %+v", script)
	}
	if _, ok := found["only-to-build"]; ok {
		t.Error("a package is listed that no binary has")
	}
}

func TestWhatCanNotBeListedIsAnError(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, binary, lock, want string }{
		{"no Go binary", writeLock(t, lock), lock, "unrecognized file format"},
		{"not JSON", binary, "x", "invalid character"},
		{"a package without version", binary, `{"packages": {"": {"dependencies": {"gone": "1"}}}}`, "gone is needed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := write(&bytes.Buffer{}, tt.binary, "v1.0.0", writeLock(t, tt.lock))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}
