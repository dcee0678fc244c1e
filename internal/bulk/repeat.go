package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/varve-archive/varve/archive/warc"
)

// repeat writes the responses of some files into a folder, so many times, a day later each time. Damaged records are left out.
func repeat(ctx context.Context, dir string, files []string, times int) error {
	for n := range times {
		w, err := create(dir, fmt.Sprintf("repeat-%05d.warc.gz", n), gzip.DefaultCompression)
		if err != nil {
			return err
		}
		for _, path := range files {
			if err := again(ctx, w, path, n); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		if err := w.close(); err != nil {
			return err
		}
	}
	return nil
}

// again writes the responses of a file, some days later than they were.
func again(ctx context.Context, w *writer, path string, days int) error {
	f, err := warc.Open(ctx, warc.Local{}, path)
	if err != nil {
		return err
	}
	defer f.Close()
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		if err != nil {
			continue
		}
		digest := rec.Header.Get("WARC-Payload-Digest")
		if rec.Type != "response" || digest == "" {
			continue
		}
		block, err := io.ReadAll(rec.Block)
		if err != nil {
			continue
		}
		if err := w.response(rec.TargetURI, rec.Date.Time().Add(time.Duration(days)*24*time.Hour), digest, block); err != nil {
			return err
		}
	}
	return ctx.Err()
}
