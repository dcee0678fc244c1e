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
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/varve-archive/varve/warc"
)

const (
	amazon   = "https://s3.amazonaws.com"
	attempts = 4 // at a request, with growing pauses between
)

// buckets are those of one object storage.
type buckets struct{ client *minio.Core }

// newBuckets finds credentials as Amazon's own tools do: in AWS_ACCESS_KEY_ID and its like, in ~/.aws/credentials (AWS_PROFILE
// names a part of it), or from the machine's role. Without any, only public buckets can be read.
func newBuckets(endpoint string) (*buckets, error) {
	if endpoint == "" {
		endpoint = amazon
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	onAmazon := os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE") != "" || os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != ""
	if onAmazon || u.Host == "s3.amazonaws.com" {
		providers = append(providers, &credentials.IAM{Client: &http.Client{Timeout: askRole}})
	}
	client, err := minio.NewCore(u.Host, &minio.Options{
		Creds: credentials.NewChainCredentials(providers), Secure: u.Scheme == "https", Region: os.Getenv("AWS_REGION"), MaxRetries: attempts,
	})
	if err != nil {
		return nil, fmt.Errorf("object storage %s: %w", endpoint, err)
	}
	return &buckets{client}, nil
}

// split splits a path into bucket and key.
func (*buckets) split(path string) (bucket, key string) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(path, "s3://"), "/")
	return bucket, key
}

func (b *buckets) stat(ctx context.Context, path string) (warc.Entry, error) {
	bucket, key := b.split(path)
	if key == "" {
		return warc.Entry{Path: path}, fs.ErrNotExist // perhaps a folder
	}
	info, err := b.client.StatObject(ctx, bucket, key, minio.StatObjectOptions{})
	return entryOf(path, info), reasonOf(err)
}

func entryOf(path string, o minio.ObjectInfo) warc.Entry {
	return warc.Entry{Path: path, Size: o.Size, ModTime: o.LastModified, Version: strings.Trim(o.ETag, `"`)}
}

func (b *buckets) list(ctx context.Context, prefix string) iter.Seq2[warc.Entry, error] {
	bucket, key := b.split(prefix)
	return func(yield func(warc.Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for o := range b.client.ListObjectsIter(ctx, bucket, minio.ListObjectsOptions{Prefix: key, Recursive: true}) {
			if o.Err != nil {
				yield(warc.Entry{Path: prefix}, reasonOf(o.Err))
				return
			}
			if strings.HasSuffix(o.Key, "/") { // what some tools put in place of a folder
				continue
			}
			if !yield(entryOf("s3://"+bucket+"/"+o.Key, o), nil) {
				return
			}
		}
	}
}

func (b *buckets) read(ctx context.Context, e warc.Entry, p []byte, offset int64) error {
	bucket, key := b.split(e.Path)
	return again(ctx, p, func(p []byte, done int) (int, error) {
		var o minio.GetObjectOptions
		from := offset + int64(done)
		err := o.SetRange(from, from+int64(len(p))-1)
		if e.Version != "" {
			err = errors.Join(err, o.SetMatchETag(e.Version))
		}
		if err != nil {
			return 0, err
		}
		body, got, _, err := b.client.GetObject(ctx, bucket, key, o)
		if err != nil {
			return 0, refusedError{reasonOf(err)}
		}
		defer body.Close()
		if tag := entryOf(e.Path, got).Version; tag != e.Version { // there are servers that know no conditions
			return 0, ErrChanged
		}
		return io.ReadFull(body, p)
	})
}

// reasonOf turns an error of the object storage into one that says what to do about it.
func reasonOf(err error) error {
	if err == nil {
		return nil
	}
	said := minio.ToErrorResponse(err)
	switch {
	case said.Code == "NoSuchKey", said.Code == "NoSuchBucket", said.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%w in the object storage (%s)", fs.ErrNotExist, said.Code)
	case said.StatusCode == http.StatusPreconditionFailed:
		return ErrChanged
	case said.StatusCode == http.StatusForbidden, said.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%w: the object storage refuses it (%s): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the rights of this user",
			fs.ErrPermission, said.Code)
	}
	return err
}
