// Package s3 is a client of object storages with Amazon's S3 protocol: it describes, lists, reads (by ranges), writes (whole) and removes
// objects. Errors give advice, and wrap those of [io/fs] where one fits.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/varve-archive/varve/internal/tracing"
)

const (
	amazon      = "https://s3.amazonaws.com"
	maxAttempts = 4 // for a request, with growing pauses in between
)

// Scheme begins the addresses of objects: s3://BUCKET/KEY.
const Scheme = "s3://"

// A Client is a client of one object storage. It is safe for concurrent use.
type Client struct {
	endpoint *url.URL

	once   sync.Once
	core   *minio.Core
	failed error // why there is no core

	counter *counting // what was asked

	pauses []time.Duration // between attempts to write
	part   int64           // size of parts if the length is unknown
}

// New returns a client of the object storage at a URL, "" for Amazon's. It sends no request yet.
func New(endpoint string) (*Client, error) {
	if endpoint == "" {
		endpoint = amazon
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("%.100q: want the URL of an object storage, such as https://s3.eu-west-1.amazonaws.com", endpoint)
	}
	return &Client{endpoint: u, counter: &counting{requests: map[string]int64{}}, pauses: retryPauses(), part: partOfUnknown}, nil
}

// connected returns the connection to the storage. Credentials are looked up when they are first needed, as Amazon's own tools do: in
// AWS_ACCESS_KEY_ID and so on, in ~/.aws/credentials (AWS_PROFILE selects a profile), or from the machine's role. Without any, only public
// buckets can be read.
func (c *Client) connected() (*minio.Core, error) {
	c.once.Do(func() {
		providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
		if c.mayHaveRole() {
			providers = append(providers, newRole())
		}
		var transport http.RoundTripper
		if transport, c.failed = minio.DefaultTransport(c.endpoint.Scheme == "https"); c.failed != nil {
			return
		}
		c.counter.RoundTripper = tracing.Transport("object storage", transport)
		c.core, c.failed = minio.NewCore(c.endpoint.Host, &minio.Options{
			Creds: credentials.NewChainCredentials(providers), Secure: c.endpoint.Scheme == "https",
			Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")), MaxRetries: maxAttempts, Transport: c.counter,
		})
		if c.failed != nil {
			c.failed = fmt.Errorf("object storage %s: %w", c.endpoint.Redacted(), c.failed)
		}
	})
	return c.core, c.failed
}

// Split splits the address of an object, or a prefix of addresses, into bucket and key.
func Split(address string) (bucket, key string) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(address, Scheme), "/")
	return bucket, key
}

// An Object describes a stored object.
type Object struct {
	Key  string
	Size int64 // bytes
	Time time.Time
	ETag string // changes with the content; without quotes
}

func described(o minio.ObjectInfo) Object {
	return Object{Key: o.Key, Size: o.Size, Time: o.LastModified, ETag: strings.Trim(o.ETag, `"`)}
}

// Stat describes an object. If there is none, the error wraps [fs.ErrNotExist]; if there is no such bucket, [ErrNoBucket].
func (c *Client) Stat(ctx context.Context, bucket, key string) (Object, error) {
	core, err := c.connected()
	if err != nil {
		return Object{}, err
	}
	info, err := core.StatObject(ctx, bucket, key, minio.StatObjectOptions{})
	err = c.reason(err, bucket)
	if errors.Is(err, fs.ErrNotExist) { // an answer without a body doesn't say what is missing
		if exists, failed := core.BucketExists(ctx, bucket); failed == nil && !exists {
			err = c.noBucket(bucket)
		}
	}
	return described(info), err
}

// List yields the objects whose keys begin with a prefix, sorted by key. It leaves out objects that some tools create for folders.
func (c *Client) List(ctx context.Context, bucket, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		core, err := c.connected()
		if err != nil {
			yield(Object{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for o := range core.ListObjectsIter(ctx, bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if o.Err != nil {
				yield(Object{}, c.reason(o.Err, bucket))
				return
			}
			if !strings.HasSuffix(o.Key, "/") && !yield(described(o), nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil { // the client ends the list as if it were whole
			yield(Object{}, err)
		}
	}
}

// Get requests n bytes of an object from an offset on; n 0 stands for all that follow. With an etag the request is conditional: if the
// object was replaced, the error is [ErrChanged]; if the server sends something else than the range, it is [ErrNoRanges]. The caller closes
// the body, which may break off.
func (c *Client) Get(ctx context.Context, bucket, key, etag string, offset, n int64) (io.ReadCloser, Object, error) {
	core, err := c.connected()
	if err != nil {
		return nil, Object{}, err
	}
	var o minio.GetObjectOptions
	switch {
	case n > 0:
		err = o.SetRange(offset, offset+n-1)
	case offset > 0:
		err = o.SetRange(offset, 0)
	}
	if err == nil && etag != "" {
		err = o.SetMatchETag(etag)
	}
	if err != nil {
		return nil, Object{}, err
	}
	body, info, header, err := core.GetObject(ctx, bucket, key, o)
	if err != nil {
		return nil, Object{}, c.reason(err, bucket)
	}
	got := described(info)
	switch { // some servers ignore conditions and ranges
	case etag != "" && got.ETag != etag:
		return nil, Object{}, closed(body, ErrChanged)
	case (n > 0 || offset > 0) && !strings.HasPrefix(header.Get("Content-Range"), fmt.Sprintf("bytes %d-", offset)):
		return nil, Object{}, closed(body, ErrNoRanges)
	}
	return body, got, nil
}

func closed(body io.Closer, err error) error {
	_ = body.Close()
	return err
}
