// Command sbom lists the components of a varve binary as CycloneDX JSON: the Go modules that the linker recorded in it,
// Go's standard library, and the npm packages whose scripts it embeds, as a package-lock.json names them.
//
//	sbom BINARY VERSION package-lock.json > varve.cdx.json
//
// The same binary gives the same bytes: there is no date and no serial number in them.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sbom BINARY VERSION package-lock.json")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(out io.Writer, binary, version, lock string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	scripts, err := npm(lock)
	if err != nil {
		return err
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: program(info, version)}
	components := slices.Concat(modules(info), scripts)
	bom.Components = &components
	return cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).Encode(bom)
}

// program describes the binary itself with its build settings.
func program(info *debug.BuildInfo, version string) *cdx.Component {
	settings := []cdx.Property{}
	for _, s := range info.Settings {
		settings = append(settings, cdx.Property{Name: "go:build:" + s.Key, Value: s.Value})
	}
	c := module(info.Main.Path, version)
	c.Type = cdx.ComponentTypeApplication
	c.Licenses = licence("AGPL-3.0-or-later")
	c.Properties = &settings
	return &c
}

func modules(info *debug.BuildInfo) []cdx.Component {
	list := []cdx.Component{module("std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		c := module(dep.Path, dep.Version)
		c.Hashes = hash(cdx.HashAlgoSHA256, strings.TrimPrefix(dep.Sum, "h1:"))
		list = append(list, c)
	}
	return list
}

func module(path, version string) cdx.Component {
	purl := "pkg:golang/" + path + "@" + version
	return cdx.Component{BOMRef: purl, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: purl}
}

// npm returns the packages that the project itself depends on. Their own build dependencies aren't in the binary.
func npm(lock string) ([]cdx.Component, error) {
	b, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var l struct {
		Packages map[string]struct {
			Version, License, Integrity string
			Dependencies                map[string]string
		}
	}
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("%s: %w", lock, err)
	}
	var list []cdx.Component
	for _, name := range slices.Sorted(maps.Keys(l.Packages[""].Dependencies)) {
		p, ok := l.Packages["node_modules/"+name]
		if !ok {
			return nil, fmt.Errorf("%s: %s is needed and has no version", lock, name)
		}
		purl := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		list = append(list, cdx.Component{
			BOMRef: purl, Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version, PackageURL: purl,
			Licenses: licence(p.License), Hashes: hash(cdx.HashAlgoSHA512, strings.TrimPrefix(p.Integrity, "sha512-")),
		})
	}
	return list, nil
}

func licence(expression string) *cdx.Licenses {
	return &cdx.Licenses{{Expression: expression}}
}

// hash turns base64, as in the checksums of Go and npm, into hexadecimal digits. It returns nil for anything else.
func hash(algorithm cdx.HashAlgorithm, sum string) *[]cdx.Hash {
	b, err := base64.StdEncoding.DecodeString(sum)
	if err != nil || len(b) == 0 {
		return nil
	}
	return &[]cdx.Hash{{Algorithm: algorithm, Value: hex.EncodeToString(b)}}
}
