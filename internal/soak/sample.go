package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/internal/sleep"
)

// measured are the names of what a sample has, with how far each may rise: what a cache that is filled late, or one more file that is
// open, adds. Sizes are in bytes.
var measured = []struct {
	name  string
	slack float64
	note  string
}{
	{"anonymous memory", 48 << 20, "MB"},
	{"file-backed memory", 96 << 20, "MB"},
	{"heap in use", 32 << 20, "MB"},
	{"goroutines", 20, ""},
	{"descriptors", 20, ""},
	{"threads", 6, ""},
	{"data folder", 64 << 20, "MB"},
	{"store", 16 << 20, "MB"},
}

type sampler struct {
	server *server
	store  string
	out    io.Writer   // gets each sample as a line
	values [][]float64 // in the order of measured
}

func (s *sampler) sample() ([]float64, error) {
	proc := fmt.Sprintf("/proc/%d", s.server.process.Pid)
	status, err := numbers(proc+"/status", ":")
	if err != nil {
		return nil, err
	}
	metrics, err := s.metrics()
	if err != nil {
		return nil, err
	}
	open, err := os.ReadDir(proc + "/fd")
	if err != nil {
		return nil, err
	}
	const kB = 1 << 10
	return []float64{
		status["RssAnon"] * kB, status["RssFile"] * kB, metrics["go_memstats_heap_inuse_bytes"], metrics["go_goroutines"],
		float64(len(open)), status["Threads"], sizeOf(s.server.data), sizeOf(s.store),
	}, nil
}

// run takes a sample every few seconds until the context ends.
func (s *sampler) run(ctx context.Context, every time.Duration, failed func(what, why string)) {
	for range sleep.Every(ctx, every) {
		v, err := s.sample()
		if err != nil {
			failed("sample", err.Error())
			continue
		}
		s.values = append(s.values, v)
		fmt.Fprintf(s.out, "%s\t%.0f\n", time.Now().Format(time.TimeOnly), v)
	}
}

// series returns what was measured, one series for each.
func (s *sampler) series() (out []series) {
	for i, m := range measured {
		one := series{name: m.name, slack: m.slack}
		for _, v := range s.values {
			one.values = append(one.values, v[i])
		}
		out = append(out, one)
	}
	return out
}

func (s *sampler) metrics() (map[string]float64, error) {
	a, err := (&http.Client{Timeout: tooLong}).Get(s.server.url + "/-/metrics")
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	return scan(bufio.NewScanner(a.Body), " "), nil
}

// numbers reads lines of a name and a number.
func numbers(path, between string) (map[string]float64, error) {
	f, err := os.Open(path) // #nosec G304 -- below /proc
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return scan(bufio.NewScanner(f), between), nil
}

func scan(lines *bufio.Scanner, between string) map[string]float64 {
	out := map[string]float64{}
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), between)
		value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			out[name] = v
		}
	}
	return out
}

// sizeOf returns how much the files below a folder take on the disk. Files may come and go meanwhile.
func sizeOf(dir string) (size float64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += onDisk(info)
		}
		return nil
	})
	return size
}
