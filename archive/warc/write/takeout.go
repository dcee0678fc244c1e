package write

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/varve-archive/varve/archive/warc"
)

// mending begins the names of files that take the place of others once they are complete.
const mending = ".mending-"

// A stretch is the bytes of a file from one offset to another.
type stretch struct{ from, to int64 }

// takeOut removes the responses of some addresses from a locked file. It returns the file that then has the name, also locked: the same one
// if there was nothing to remove. After a crash it is one or the other.
func takeOut(ctx context.Context, f *os.File, addresses []string) (*os.File, error) {
	if len(addresses) == 0 {
		return f, nil
	}
	out, err := stretchesOf(ctx, f.Name(), addresses)
	if err != nil || len(out) == 0 {
		return f, err
	}
	next, err := os.CreateTemp(filepath.Dir(f.Name()), mending+"*")
	if err != nil {
		return f, err
	}
	lock(next)
	err = errors.Join(copyBut(next, f, out), next.Chmod(0o644))
	if err == nil {
		err = errors.Join(next.Sync(), os.Rename(next.Name(), f.Name()))
	}
	if err != nil {
		return f, errors.Join(err, next.Close(), os.Remove(next.Name()))
	}
	return next, f.Close()
}

// stretchesOf returns where the responses of addresses and their other records are.
func stretchesOf(ctx context.Context, path string, addresses []string) (all []stretch, err error) {
	f, err := warc.Local{}.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	at := map[string][]stretch{} // by ID of the response: its records, and those written beside it
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		if _, ok := errors.AsType[*warc.Damage](err); ok {
			continue
		} else if err != nil {
			return nil, err
		}
		id := rec.Header.Get("WARC-Concurrent-To")
		if (rec.Type == "response" || rec.Type == "revisit") && slices.Contains(addresses, rec.TargetURI) {
			id = rec.Header.Get("WARC-Record-ID")
			at[id] = nil
		}
		if _, out := at[id]; !out {
			continue
		}
		if rec.Type == "request" && !asks(rec) {
			delete(at, id) // the request has a body, so its response is another resource
			continue
		}
		length, err := rec.Finish()
		if err != nil {
			return nil, err
		}
		at[id] = append(at[id], stretch{rec.Offset, rec.Offset + length})
	}
	for _, list := range at {
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	return all, ctx.Err()
}

// asks reports whether a request has nothing but its address.
func asks(rec *warc.Record) bool {
	method := make([]byte, len("GET "))
	_, err := io.ReadFull(rec.Block, method)
	return err == nil && string(method) == "GET "
}

// copyBut copies a file without some stretches, given in order. Each record is compressed by itself, so the result is valid.
func copyBut(to io.Writer, f *os.File, out []stretch) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	at := int64(0)
	for _, s := range append(out, stretch{info.Size(), info.Size()}) {
		if _, err := io.Copy(to, io.NewSectionReader(f, at, s.from-at)); err != nil {
			return err
		}
		at = s.to
	}
	return nil
}
