// Packages makes, of the binaries of a release, what systems install: packages for Debian and Fedora, and an image for containers as an OCI
// archive. It needs no root and no daemon, and the same binaries give the same bytes.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

func main() {
	if len(os.Args) != 7 {
		fmt.Fprintln(os.Stderr, "usage: packages VERSION RFC3339-TIME ARCHITECTURE BINARY HEALTH DIST")
		os.Exit(2)
	}
	r := release{version: os.Args[1], arch: os.Args[3], binary: os.Args[4], health: os.Args[5], dist: os.Args[6]}
	var err error
	if r.when, err = time.Parse(time.RFC3339, os.Args[2]); err == nil {
		err = errors.Join(r.pack("deb"), r.pack("rpm"), r.image())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

type release struct {
	version, arch, binary, health, dist string
	when                                time.Time // of the commit
}

// pack writes a package.
func (r *release) pack(format string) error {
	settings, err := os.Open("nfpm.yaml")
	if err != nil {
		return err
	}
	defer settings.Close()
	env := map[string]string{
		"VERSION": r.number(), "ARCH": r.arch, "BINARY": r.binary, "FOLDER": ".", "ROOT": "../..",
	}
	config, err := nfpm.ParseWithEnvMapping(settings, func(name string) string { return env[name] })
	if err != nil {
		return err
	}
	info, err := config.Get(format)
	if err != nil {
		return err
	}
	info.MTime = r.when
	for _, c := range info.Contents {
		c.Source = os.Expand(c.Source, func(name string) string { return env[name] })
	}
	for _, script := range []*string{&info.Scripts.PostInstall, &info.Scripts.PreRemove, &info.Scripts.PostRemove} {
		*script = os.Expand(*script, func(name string) string { return env[name] })
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	info = nfpm.WithDefaults(info)
	var out bytes.Buffer
	if err := packager.Package(info, &out); err != nil {
		return fmt.Errorf("%s: %w", format, err)
	}
	return os.WriteFile(filepath.Join(r.dist, packager.ConventionalFileName(info)), out.Bytes(), 0o644)
}

// number returns the version as packages have it. What has no tag is older than anything that has one.
func (r *release) number() string {
	number := strings.ReplaceAll(strings.TrimPrefix(r.version, "v"), "-", ".")
	if !strings.Contains(strings.SplitN(number, ".dirty", 2)[0], ".") {
		number = "0~" + number
	}
	return number
}

// image writes the image that the Dockerfile makes: the program and its health probe, run by an unprivileged user.
func (r *release) image() error {
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		var b bytes.Buffer
		return io.NopCloser(&b), r.files(&b)
	})
	if err != nil {
		return err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	image, err = mutate.ConfigFile(image, &v1.ConfigFile{
		Architecture: r.arch, OS: "linux", Created: v1.Time{Time: r.when}, RootFS: config.RootFS,
		Config: v1.Config{
			User: "65532:65532", Env: []string{"VARVE_DATA=/data", "VARVE_LISTEN=0.0.0.0:8080"}, Volumes: map[string]struct{}{"/data": {}},
			ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Entrypoint: []string{"/varve"}, Cmd: []string{"serve", "/warcs"},
			Healthcheck: &v1.HealthConfig{
				Test: []string{"CMD", "/health"}, Interval: 30 * time.Second, Timeout: 5 * time.Second, StartPeriod: 10 * time.Second,
			},
			Labels: map[string]string{"org.opencontainers.image.version": r.version, "org.opencontainers.image.licenses": "AGPL-3.0"},
		},
	})
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "varve-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	all := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
		Platform: &v1.Platform{OS: "linux", Architecture: r.arch}, Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version},
	}})
	if _, err := layout.Write(folder, all); err != nil {
		return err
	}
	return r.archive(folder)
}

// files writes the image's file system.
func (r *release) files(w io.Writer) error {
	t := tar.NewWriter(w)
	for _, folder := range []struct {
		name string
		mode int64
	}{{"data/", 0o755}, {"tmp/", 0o1777}} {
		if err := t.WriteHeader(&tar.Header{
			Typeflag: tar.TypeDir, Name: folder.name, Mode: folder.mode, Uid: 65532, Gid: 65532, ModTime: r.when,
		}); err != nil {
			return err
		}
	}
	for _, file := range [][2]string{{"varve", r.binary}, {"health", r.health}} {
		b, err := os.ReadFile(file[1])
		if err != nil {
			return err
		}
		if err := put(t, file[0], 0o755, b, r.when); err != nil {
			return err
		}
	}
	return t.Close()
}

func put(t *tar.Writer, name string, mode int64, b []byte, when time.Time) error {
	err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(b)), ModTime: when})
	if err == nil {
		_, err = t.Write(b)
	}
	return err
}

// archive writes a folder as one file.
func (r *release) archive(folder string) error {
	name := fmt.Sprintf("varve_%s_linux_%s.oci.tar", r.version, r.arch)
	out, err := os.Create(filepath.Join(r.dist, name))
	if err != nil {
		return err
	}
	t := tar.NewWriter(out)
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		return put(t, filepath.ToSlash(inside), 0o644, b, r.when)
	})
	return errors.Join(err, t.Close(), out.Close())
}
