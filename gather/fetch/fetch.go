package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/archive/warc/write"
	"github.com/varve-archive/varve/internal/filebuffer"
	"github.com/varve-archive/varve/memento"
)

// A Job fetches mementos and writes them.
type Job struct {
	Web      Web
	Out      *write.Writer
	Have     *Stored     // what earlier runs wrote
	MaxBytes int64       // of one body; 0 is no limit. Longer ones are truncated (WARC-Truncated)
	Report   func(error) // called for missing mementos, from any goroutine
	Progress Progress
}

// Progress counts the mementos of a [Job]. It may be read while the job runs.
type Progress struct {
	All     atomic.Int64 // wanted
	Done    atomic.Int64 // processed, whatever the result
	Had     atomic.Int64 // of these, written by an earlier run
	Same    atomic.Int64 // written as revisits, because their payload was known
	Missing atomic.Int64 // unavailable
	Bytes   atomic.Int64 // written
}

// Run fetches mementos: those of one host in order, hosts in parallel. It stops at the first error of writing; unavailable mementos
// are reported and counted.
func (j *Job) Run(ctx context.Context, found []Found) error {
	j.Progress.All.Store(int64(len(found)))
	hosts, ctx := errgroup.WithContext(ctx)
	hosts.SetLimit(8)
	for _, of := range byHost(found) {
		hosts.Go(func() error {
			for i := range of {
				if err := j.memento(ctx, &of[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return hosts.Wait()
}

// byHost groups the mementos by host and keeps their order.
func byHost(found []Found) [][]Found {
	var all [][]Found
	place := map[string]int{}
	for _, m := range found {
		host := m.URIM
		if u, err := url.Parse(m.URIM); err == nil {
			host = u.Host
		}
		i, ok := place[host]
		if !ok {
			i = len(all)
			place[host] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], m)
	}
	return all
}

// memento fetches one memento, unless it is stored.
func (j *Job) memento(ctx context.Context, m *Found) error {
	switch had, err := j.have(ctx, m); {
	case err != nil:
		return err
	case had:
		j.Progress.Had.Add(1)
	}
	j.Progress.Done.Add(1)
	return nil
}

// have makes sure that a memento is stored, if its archive has it. It reports whether it was stored already.
func (j *Job) have(ctx context.Context, m *Found) (had bool, err error) {
	if j.Have.has(m.URIM) {
		return true, nil
	}
	exchange, err := j.get(ctx, m)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		j.Progress.Missing.Add(1)
		j.Report(err)
		return false, nil
	}
	defer exchange.body.Close()
	written, err := j.Out.Write(exchange.Exchange)
	if err != nil {
		return false, err
	}
	j.Have.add(m.URIM, exchange.Exchange, written)
	j.Progress.Bytes.Add(written.Bytes)
	if written.Revisit {
		j.Progress.Same.Add(1)
	}
	return false, nil
}

// An exchange is a memento, ready to be written.
type exchange struct {
	write.Exchange
	body *filebuffer.Buffer
}

// maxMemory is the size up to which a memento is buffered in memory, in bytes.
const maxMemory = 1 << 20

// get requests a memento and reads it whole, because its record begins with its length and digests.
func (j *Job) get(ctx context.Context, m *Found) (_ *exchange, err error) {
	a, err := raw(ctx, j.Web, m)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	stored := &filebuffer.Buffer{Memory: maxMemory}
	defer func() {
		if err != nil {
			stored.Close()
		}
	}()
	truncated, err := j.read(stored, a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Request.URL, err)
	}
	return &exchange{body: stored, Exchange: write.Exchange{
		URI: originalOf(a, m), Time: m.Time.Time(), Truncated: truncated, Response: stored.Reader(),
		Header:   warc.Fields{{Name: "WARC-Source-URI", Value: m.URIM}},
		Metadata: provenance(a, m, time.Now()),
	}}, nil
}

// read writes the captured message to out. truncated is the reason for WARC-Truncated, or "".
func (j *Job) read(out io.Writer, a *answer) (truncated string, err error) {
	fields, body := captured(a)
	if _, err := out.Write(messageHead(a.Status, fields)); err != nil {
		return "", err
	}
	if j.MaxBytes == 0 {
		_, err = io.Copy(out, body)
		return "", err
	}
	if _, err := io.CopyN(out, body, j.MaxBytes); err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return "", err
	}
	if n, _ := io.ReadFull(body, make([]byte, 1)); n > 0 {
		truncated = "length"
	}
	return truncated, nil
}

// originalOf returns the URI-R of a memento: from its own answer (RFC 7089 §2.2.1), else from its TimeMap, else from its URI-M.
func originalOf(a *answer, m *Found) string {
	for _, value := range a.Header.Values("Link") {
		links, _ := memento.ParseLinks(value)
		if i := slices.IndexFunc(links, func(l memento.Link) bool { return l.Has("original") }); i >= 0 {
			return links[i].URI
		}
	}
	if m.URIR != "" {
		return m.URIR
	}
	if parts := uriMPattern.FindStringSubmatch(m.URIM); parts != nil {
		return urirOf(parts[3])
	}
	return m.URIM
}

// provenance describes the origin of a memento: the request, its time, and the archive's complete header.
func provenance(a *answer, m *Found, now time.Time) warc.Fields {
	fields := warc.Fields{
		{Name: "source", Value: m.URIM},
		{Name: "requested", Value: a.Request.URL.String()},
		{Name: "fetched", Value: now.UTC().Format(time.RFC3339)},
	}
	if a.form.prefer != "" {
		fields = append(fields, warc.Field{Name: "prefer", Value: a.form.prefer})
	}
	fields = append(fields, warc.Field{Name: "status", Value: a.Status})
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		for _, value := range a.Header[name] {
			fields = append(fields, warc.Field{Name: "archive-" + strings.ToLower(name), Value: value})
		}
	}
	return fields
}
