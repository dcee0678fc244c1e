package s3

import (
	"bytes"
	"context"
	"crypto/md5" // S3 verifies uploads with it
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"

	"github.com/varve-archive/varve/internal/sleep"
)

const (
	smallPart     = 16 << 20 // at least 5 MiB, as S3 requires of all parts except the last
	partOfUnknown = 32 << 20 // if the length is unknown: 320 GB in all
	maxParts      = 10_000   // of an upload
	// putIDKey is metadata that identifies an object as ours, if the response to storing it was lost.
	putIDKey  = "Varve-Put"
	abortTime = 30 * time.Second // for aborting a failed upload
)

// retryPauses returns the pauses between attempts to write while the storage doesn't answer, in addition to the attempts of each request.
func retryPauses() []time.Duration {
	return []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}
}

// Put stores the content of r under a key, completely or not at all. An object with the key is replaced or, with isNew, left alone, and the
// error wraps [fs.ErrExist]. Content of more than some megabytes is sent in parts, one at a time in memory; if that fails the parts are
// removed. Only a killed process leaves parts, which a lifecycle rule of the bucket can remove (AbortIncompleteMultipartUpload).
func (c *Client) Put(ctx context.Context, bucket, key string, r io.Reader, isNew bool) error {
	core, err := c.connected()
	if err != nil {
		return err
	}
	u := &upload{client: c, core: core, bucket: bucket, key: key, from: r, size: c.partSize(r), isNew: isNew, mark: uuid.NewString()}
	if isNew {
		if _, err := c.Stat(ctx, bucket, key); err == nil { // fail before anything is sent
			return u.taken()
		}
	}
	last, err := u.fill()
	switch {
	case err != nil:
		return err
	case last:
		return u.whole(ctx, u.part.Bytes())
	}
	return u.inParts(ctx)
}

// partSize returns the size of the parts, which is the same for all, as some storages require.
func (c *Client) partSize(r io.Reader) int64 {
	f, ok := r.(*os.File)
	if !ok {
		return c.part
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return c.part
	}
	return max(smallPart, (info.Size()/(maxParts-1)+1<<20-1)>>20<<20)
}

// An upload is an object that is being stored.
type upload struct {
	client      *Client
	core        *minio.Core
	bucket, key string
	isNew       bool
	mark        string
	from        io.Reader
	size        int64        // of a part
	part        bytes.Buffer // the next part
}

// fill reads the next part, and reports whether it is the last, which is shorter.
func (u *upload) fill() (last bool, err error) {
	u.part.Reset()
	_, err = io.CopyN(&u.part, u.from, u.size)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

// marked returns the options for creating the object.
func (u *upload) marked() minio.PutObjectOptions {
	return minio.PutObjectOptions{UserMetadata: map[string]string{putIDKey: u.mark}}
}

// onlyNew adds to options the condition that the object doesn't exist, if isNew is set.
func (u *upload) onlyNew(o minio.PutObjectOptions) minio.PutObjectOptions {
	if u.isNew {
		o.SetMatchETagExcept("*") // If-None-Match: *
	}
	return o
}

func sumOf(content []byte) string {
	sum := md5.Sum(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// whole stores the object with one request.
func (u *upload) whole(ctx context.Context, content []byte) error {
	err := u.retry(ctx, func() error {
		_, err := u.core.PutObject(ctx, u.bucket, u.key, bytes.NewReader(content), int64(len(content)), sumOf(content), "",
			u.onlyNew(u.marked()))
		return err
	})
	return u.isOurs(ctx, err)
}

// inParts stores the object in parts, of which the first has been read.
func (u *upload) inParts(ctx context.Context) error {
	var id string
	err := u.retry(ctx, func() (err error) {
		id, err = u.core.NewMultipartUpload(ctx, u.bucket, u.key, u.marked())
		return err
	})
	if err != nil {
		return err
	}
	parts, err := u.parts(ctx, id)
	if err == nil {
		err = u.isOurs(ctx, u.retry(ctx, func() error {
			_, err := u.core.CompleteMultipartUpload(ctx, u.bucket, u.key, id, parts, u.onlyNew(minio.PutObjectOptions{}))
			return err
		}))
	}
	if err != nil {
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTime)
		defer cancel()
		_ = u.core.AbortMultipartUpload(after, u.bucket, u.key, id) // otherwise the bucket's lifecycle rule does it
	}
	return err
}

// parts sends the part that was read, and all that follow.
func (u *upload) parts(ctx context.Context, id string) (parts []minio.CompletePart, err error) {
	for last := false; u.part.Len() > 0; {
		if len(parts) == maxParts {
			return nil, fmt.Errorf("it has more than %d GB, which is too much to be stored while it is made", u.size*maxParts>>30)
		}
		sent, err := u.send(ctx, id, len(parts)+1)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, sent); last {
			break
		}
		if last, err = u.fill(); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func (u *upload) send(ctx context.Context, id string, number int) (sent minio.CompletePart, err error) {
	content := u.part.Bytes()
	err = u.retry(ctx, func() error {
		got, err := u.core.PutObjectPart(ctx, u.bucket, u.key, id, number, bytes.NewReader(content), int64(len(content)),
			minio.PutObjectPartOptions{Md5Base64: sumOf(content)})
		sent = minio.CompletePart{PartNumber: number, ETag: got.ETag}
		return err
	})
	return sent, err
}

// retry repeats a request until it succeeds, is refused, or the storage hasn't answered for too long.
func (u *upload) retry(ctx context.Context, do func() error) error {
	for try := 0; ; try++ {
		err := u.client.reason(do(), u.bucket)
		if !errors.Is(err, ErrUnavailable) || ctx.Err() != nil || try == len(u.client.pauses) {
			return err
		}
		pause := u.client.pauses[try]
		if sleep.For(ctx, pause/2+rand.N(pause)) != nil {
			return err
		}
	}
}

// isOurs checks, after an error, whether the object was stored all the same and only the response was lost.
func (u *upload) isOurs(ctx context.Context, err error) error {
	if !errors.Is(err, ErrChanged) && !errors.Is(err, fs.ErrNotExist) { // the condition failed, or the upload no longer exists
		return err
	}
	info, failed := u.core.StatObject(ctx, u.bucket, u.key, minio.StatObjectOptions{})
	switch {
	case failed != nil:
		return err
	case info.UserMetadata[putIDKey] == u.mark:
		return nil
	case !u.isNew:
		return err
	}
	return u.taken()
}

func (u *upload) taken() error {
	return fmt.Errorf("%w in the object storage: %s%s/%s", fs.ErrExist, Scheme, u.bucket, u.key)
}
