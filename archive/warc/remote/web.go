package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/varve-archive/varve/archive/blobstore/s3"
	"github.com/varve-archive/varve/archive/warc"
	"github.com/varve-archive/varve/internal/tracing"
)

// web reads from web servers.
type web struct{ client *http.Client }

const maxHops = 5

func newWeb() *web {
	transport := tracing.Transport("web server", http.DefaultTransport)
	return &web{&http.Client{Transport: transport, Timeout: readTime, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if r.URL.Host != via[0].URL.Host || len(via) > maxHops {
			return fmt.Errorf("it is elsewhere now, at %s: name that address instead", r.URL.Redacted())
		}
		return nil
	}}}
}

// ask requests a range of the object at a path, provided it hasn't changed.
func (w *web) ask(ctx context.Context, e warc.Entry, from, to int64) (*http.Response, error) {
	u, err := url.Parse(e.Path)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return nil, errors.New("want an address with a host and a path, without a query, a user or a password")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, e.Path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, to))
	r.Header.Set("Accept-Encoding", "identity") // ranges must be of the unencoded file
	r.Header.Set("User-Agent", "varve")
	if strings.HasPrefix(e.Version, `"`) {
		r.Header.Set("If-Match", e.Version)
	} else if e.Version != "" {
		r.Header.Set("If-Unmodified-Since", e.Version)
	}
	answer, err := w.client.Do(r)
	if err != nil {
		return nil, err
	}
	if err := statusError(answer); err != nil {
		answer.Body.Close()
		return nil, err
	}
	return answer, nil
}

// statusError returns the error for a response without a range.
func statusError(a *http.Response) error {
	switch a.StatusCode {
	case http.StatusPartialContent:
		return nil
	case http.StatusOK:
		return s3.ErrNoRanges
	case http.StatusNotFound, http.StatusGone:
		return fmt.Errorf("%w: the server says %s", fs.ErrNotExist, a.Status)
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("%w: the server says %s", fs.ErrPermission, a.Status)
	case http.StatusPreconditionFailed:
		return ErrChanged
	}
	return fmt.Errorf("the server says %s", a.Status)
}

// stat requests the first byte, because answers to HEAD don't tell whether ranges are supported.
func (w *web) stat(ctx context.Context, path string) (warc.Entry, error) {
	e := warc.Entry{Path: path}
	a, err := w.ask(ctx, e, 0, 0)
	if err != nil {
		return e, err
	}
	defer a.Body.Close()
	return ofAnswer(path, a.Header)
}

// ofAnswer describes the object that an answer has a range of.
func ofAnswer(path string, header http.Header) (e warc.Entry, err error) {
	e.Path = path
	_, total, _ := strings.Cut(header.Get("Content-Range"), "/")
	if e.Size, err = strconv.ParseInt(total, 10, 64); err != nil {
		return e, s3.ErrNoRanges
	}
	changed := header.Get("Last-Modified")
	e.ModTime, _ = time.Parse(http.TimeFormat, changed)
	if e.Version = header.Get("ETag"); !strings.HasPrefix(e.Version, `"`) { // a weak ETag can't be used for ranges (RFC 9110 §13.1.1)
		e.Version = changed
	}
	return e, nil
}

// isOther reports whether an answer is of another file than the one that was opened, as far as it tells.
func isOther(now, opened warc.Entry) bool {
	tags := strings.HasPrefix(now.Version, `"`) == strings.HasPrefix(opened.Version, `"`) // rather than a tag and a time
	return now.Size != opened.Size || now.Version != "" && tags && now.Version != opened.Version
}

// list yields nothing: web servers have no listings.
func (*web) list(context.Context, string) iter.Seq2[warc.Entry, error] {
	return func(func(warc.Entry, error) bool) {}
}

func (w *web) read(ctx context.Context, e warc.Entry, p []byte, offset int64) error {
	return readResuming(ctx, p, func(p []byte, done int) (int, error) {
		from := offset + int64(done)
		a, err := w.ask(ctx, e, from, from+int64(len(p))-1)
		if err != nil {
			return 0, err
		}
		defer a.Body.Close()
		if !strings.HasPrefix(a.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)) {
			return 0, s3.ErrNoRanges
		}
		if now, err := ofAnswer(e.Path, a.Header); err == nil && isOther(now, e) { // some servers ignore conditions
			return 0, ErrChanged
		}
		return io.ReadFull(a.Body, p)
	})
}
