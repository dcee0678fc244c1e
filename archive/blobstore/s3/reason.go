package s3

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/minio/minio-go/v7"

	"github.com/varve-archive/varve/internal/sentinel"
)

// ErrChanged says that an object has changed since it was opened.
const ErrChanged = sentinel.Error("it was replaced while it was read")

// ErrUnavailable says that the object storage can't be reached or is overloaded at the moment.
const ErrUnavailable = sentinel.Error("the object storage does not answer")

// ErrNoBucket says that there is no bucket of a name. It doesn't wrap [io/fs.ErrNotExist]: nothing is known about the objects.
const ErrNoBucket = sentinel.Error("make the bucket, or check its name and --s3-endpoint")

// ErrNoRanges says that a server doesn't support ranges.
const ErrNoRanges = sentinel.Error("the server doesn't answer ranges (RFC 9110 §14): copy the file to this machine, or to a server " +
	"that does")

// reason converts an error of the storage to one with advice.
func (c *Client) reason(err error, bucket string) error {
	if err == nil {
		return nil
	}
	said := minio.ToErrorResponse(err)
	switch {
	case said.Code == "NoSuchBucket":
		return c.noBucket(bucket)
	case said.StatusCode == http.StatusNotFound || said.Code == "NoSuchKey" || said.Code == "NoSuchUpload":
		return fmt.Errorf("%w in the object storage (%s)", fs.ErrNotExist, said.Code)
	case said.Code == "InvalidBucketName":
		return fmt.Errorf("%q is no name of a bucket: %s", bucket, said.Message)
	case said.StatusCode == http.StatusPreconditionFailed:
		return ErrChanged
	case isElsewhere(said):
		return fmt.Errorf("the bucket %q is in another region%s: set AWS_REGION to it, or name the region's own --s3-endpoint (%s)",
			bucket, regionIn(said), said.Code)
	case said.Code == "RequestTimeTooSkewed":
		return fmt.Errorf("%w: the clock of this machine differs from that of the object storage by more than a quarter of an hour: set it (%s)",
			fs.ErrPermission, said.Code)
	case said.Code == "InvalidObjectState":
		return fmt.Errorf("%w: the object is in a class of storage from which it has to be restored before it can be read (%s)",
			fs.ErrPermission, said.Code)
	case said.StatusCode == http.StatusForbidden || said.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%w: the object storage refuses it (%s): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the rights of this "+
			"user in the bucket %q", fs.ErrPermission, said.Code, bucket)
	case isFull(said):
		return fmt.Errorf("the object storage has no room left (%s): make some, or raise its quota", said.Code)
	case isPassing(err, said):
		return fmt.Errorf("%w (%w)", ErrUnavailable, err)
	}
	return err
}

func (c *Client) noBucket(bucket string) error {
	return fmt.Errorf("the object storage %s has no bucket %q: %w", c.endpoint.Redacted(), bucket, ErrNoBucket)
}

func isElsewhere(said minio.ErrorResponse) bool {
	switch said.Code {
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "InvalidRegion", "IllegalLocationConstraintException":
		return true
	}
	return said.StatusCode == http.StatusMovedPermanently
}

func regionIn(said minio.ErrorResponse) string {
	if said.Region == "" {
		return ""
	}
	return ", " + said.Region
}

func isFull(said minio.ErrorResponse) bool {
	return said.StatusCode == http.StatusInsufficientStorage || strings.HasSuffix(said.Code, "StorageFull") ||
		strings.Contains(said.Code, "QuotaExceeded")
}

// isPassing reports whether an error is temporary.
func isPassing(err error, said minio.ErrorResponse) bool {
	var untrusted *tls.CertificateVerificationError
	switch {
	case said.StatusCode >= http.StatusInternalServerError || said.StatusCode == http.StatusTooManyRequests:
		return true
	case said.StatusCode != 0: // the storage has answered
		return said.Code == "RequestTimeout" || said.Code == "SlowDown" || said.Code == "ConditionalRequestConflict"
	}
	return !errors.As(err, &untrusted) && isOfNetwork(err)
}

// isOfNetwork reports whether there was no response at all.
func isOfNetwork(err error) bool {
	var network interface{ Timeout() bool } // of net and net/url
	return errors.As(err, &network)
}
