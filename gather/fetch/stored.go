package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
)

// Stored is the set of mementos and payloads in WARC files that were fetched. It is safe for concurrent use.
type Stored struct {
	mu       sync.Mutex
	mementos map[string]bool
	payloads map[write.Payload]write.Original
}

// ReadStored reads files that earlier runs wrote. Damage in them is reported; what it took from them is fetched again.
func ReadStored(ctx context.Context, storage warc.Storage, paths []string, report func(error)) (*Stored, error) {
	s := &Stored{mementos: map[string]bool{}, payloads: map[write.Payload]write.Original{}}
	for _, path := range paths {
		if err := s.file(ctx, storage, path, report); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Stored) file(ctx context.Context, storage warc.Storage, path string, report func(error)) error {
	f, err := warc.Open(ctx, storage, path)
	if err != nil {
		return err
	}
	defer f.Close()
	last := struct { // what is forgotten if its record turns out to be damaged
		at      int64
		memento string
		payload write.Payload
	}{at: -1}
	for rec, err := range warc.Scan(ctx, f, path, 0) {
		if damage, ok := errors.AsType[*warc.Damage](err); ok {
			report(fmt.Errorf("%s: %w: mementos that it took are fetched again", path, err))
			if damage.Offset == last.at {
				delete(s.mementos, last.memento)
				delete(s.payloads, last.payload)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		source := rec.Header.Get("WARC-Source-URI")
		if source == "" {
			continue
		}
		last.at, last.memento, last.payload = rec.Offset, mementoKey(source), write.Payload{}
		s.mementos[last.memento] = true
		if rec.Type == "response" && rec.Truncated == "" {
			last.payload = s.payload(rec)
		}
	}
	return nil
}

// payload adds the payload of a record, and returns it; the zero Payload if the record has none that can be told from others.
func (s *Stored) payload(rec *warc.Record) (p write.Payload) {
	digest, err := warc.ParseDigest(rec.Header.Get("WARC-Payload-Digest"))
	if err != nil {
		return p
	}
	head, err := warc.ParseHead(rec.Block)
	if err != nil {
		return p
	}
	date, err := warc.ParseDate(rec.Header.Get("WARC-Date"))
	if err != nil {
		return p
	}
	p = write.Payload{URI: rec.TargetURI, Status: head.Status, Digest: digest}
	s.payloads[p] = write.Original{URI: rec.TargetURI, Time: date.Time()}
	return p
}

func (s *Stored) has(urim string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mementos[mementoKey(urim)]
}

// mementoKey returns what the addresses of one memento in an archive share. Its TimeMaps, and aggregators, may name it by http or https,
// with or without the default port or a modifier.
func mementoKey(urim string) string {
	if m := uriMPattern.FindStringSubmatch(urim); m != nil {
		urim = m[1] + m[2] + "/" + m[3]
	}
	u, err := url.Parse(urim)
	if err != nil {
		return urim
	}
	_, rest, _ := strings.Cut(urim, "//"+u.Host)
	return strings.ToLower(u.Hostname()) + ":" + portOf(u) + rest
}

func (s *Stored) add(urim string, e write.Exchange, w write.Written) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mementos[mementoKey(urim)] = true
	if !w.Revisit && e.Truncated == "" {
		s.payloads[w.Payload] = write.Original{URI: e.URI, Time: e.Time}
	}
}

// Known tells a [write.Writer] which payloads are already stored.
func (s *Stored) Known(p write.Payload) (write.Original, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.payloads[p]
	return o, ok
}
