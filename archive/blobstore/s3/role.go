package s3

import (
	"net/http"
	"os"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"github.com/varve-archive/varve/internal/sentinel"
)

const (
	roleTime  = 2 * time.Second // for the machine's role, which most machines don't have
	roleRetry = time.Minute     // after there was none
	errNoRole = sentinel.Error("a moment ago this machine had no role")
)

// mayHaveRole reports whether a role of this machine may open the storage: it is Amazon's, or the environment names who gives credentials.
func (c *Client) mayHaveRole() bool {
	for _, name := range []string{
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
	} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return s3utils.IsAmazonEndpoint(*c.endpoint)
}

// A role has the credentials of this machine's role. Without credentials the client asks for some before each request, and where there is
// no role the question may stay unanswered, so a role isn't asked for again at once. It implements [credentials.Provider].
type role struct {
	credentials.IAM
	held   bool      // there was one
	failed time.Time // when there was none
}

func newRole() *role { return &role{IAM: credentials.IAM{Client: &http.Client{Timeout: roleTime}}} }

func (r *role) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	if !r.held && time.Since(r.failed) < roleRetry {
		return credentials.Value{}, errNoRole
	}
	v, err := r.IAM.RetrieveWithCredContext(c)
	if err != nil {
		r.failed = time.Now()
	}
	r.held = r.held || err == nil
	return v, err
}
