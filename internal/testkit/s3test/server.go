// Package s3test runs object storage for tests: a small one in memory, and MinIO, which scripts/minio.sh builds.
package s3test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// The user of all servers, who may do everything.
const (
	User   = "someone"
	Secret = "secret-of-someone"
	Region = "us-east-1"
)

// A Server is an object storage on loopback. It ends with the test, whose AWS_… variables are those of [User] from then on.
type Server struct {
	URL  string
	Real bool // MinIO

	t      *testing.T
	client *minio.Client

	dir  string // of MinIO
	args []string
	mu   sync.Mutex
	cmd  *exec.Cmd // nil while it is stopped
}

// OnEach runs a test with each kind of server. Where MinIO has not been built, its part is skipped.
func OnEach(t *testing.T, test func(t *testing.T, s *Server)) {
	t.Run("memory", func(t *testing.T) { test(t, Memory(t)) })
	t.Run("minio", func(t *testing.T) { test(t, MinIO(t)) })
}

// Memory starts a server in this process.
func Memory(t *testing.T) *Server {
	return Wrapped(t, func(h http.Handler) http.Handler { return h })
}

// Wrapped starts a server in this process whose answers pass through what wrap returns.
func Wrapped(t *testing.T, wrap func(http.Handler) http.Handler) *Server {
	t.Helper()
	faker := gofakes3.New(s3mem.New(), gofakes3.WithLogger(gofakes3.DiscardLog()))
	server := httptest.NewServer(wrap(strict(faker.Server())))
	t.Cleanup(server.Close)
	s := &Server{URL: server.URL, t: t}
	s.connect()
	return s
}

// Path returns where MinIO is, "" if it has not been built.
func Path(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, found := os.Stat(filepath.Join(dir, "go.mod")); found == nil {
			path := filepath.Join(dir, "bin", "minio")
			if _, missing := os.Stat(path); missing != nil {
				return ""
			}
			return path
		}
		if above := filepath.Dir(dir); above != dir {
			dir = above
			continue
		}
		err = os.ErrNotExist
	}
	t.Fatalf("the folder of the module: %v", err)
	return ""
}

// MinIO starts MinIO. env are further variables of its environment.
func MinIO(t *testing.T, env ...string) *Server {
	t.Helper()
	path := Path(t)
	if path == "" {
		t.Skip("MinIO isn't built: make minio runs this test with it")
	}
	address := freeAddress(t)
	s := &Server{URL: "http://" + address, Real: true, t: t, dir: t.TempDir(), args: append([]string{
		"MINIO_ROOT_USER=" + User, "MINIO_ROOT_PASSWORD=" + Secret, "MINIO_UPDATE=off", "MINIO_BROWSER=off", "HOME=" + t.TempDir(),
	}, env...)}
	t.Cleanup(s.Kill)
	s.connect()
	s.Run()
	return s
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// connect makes the client of the test, which is the user's.
func (s *Server) connect() {
	s.t.Helper()
	s.Be(User, Secret, "")
	u, err := url.Parse(s.URL)
	if err != nil {
		s.t.Fatal(err)
	}
	s.client, err = minio.New(u.Host, &minio.Options{Creds: credentials.NewStaticV4(User, Secret, "")})
	if err != nil {
		s.t.Fatal(err)
	}
}

// Be has the test, and the programs that it starts, ask as somebody.
func (s *Server) Be(user, secret, token string) {
	s.t.Setenv("AWS_ACCESS_KEY_ID", user)
	s.t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	s.t.Setenv("AWS_SESSION_TOKEN", token)
	s.t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(s.t.TempDir(), "none"))
}

// BeLimited is [Server.Be] for somebody who may do what a policy says, in the language of AWS. Only MinIO has such people.
func (s *Server) BeLimited(policy string) {
	s.t.Helper()
	lent, err := credentials.NewSTSAssumeRole(s.URL, credentials.STSAssumeRoleOptions{AccessKey: User, SecretKey: Secret, Policy: policy})
	if err != nil {
		s.t.Fatal(err)
	}
	is, err := lent.GetWithContext(&credentials.CredContext{Client: http.DefaultClient})
	if err != nil {
		s.t.Fatal(err)
	}
	s.Be(is.AccessKeyID, is.SecretAccessKey, is.SessionToken)
}

// startTime is how long a server may take until it answers.
const startTime = time.Minute

// Run starts MinIO again, with what it has.
func (s *Server) Run() {
	s.t.Helper()
	u, _ := url.Parse(s.URL)
	cmd := exec.Command(Path(s.t), "server", "--quiet", "--address", u.Host, s.dir)
	cmd.Env = append(os.Environ(), s.args...)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	s.cmd = cmd
	s.mu.Unlock()
	for end := time.Now().Add(startTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get(s.URL + "/minio/health/cluster"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
	}
	s.t.Fatalf("MinIO at %s does not start", s.URL)
}

// Kill ends MinIO at once, as a crash would.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	s.cmd = nil
}

func (s *Server) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// Make makes a bucket.
func (s *Server) Make(bucket string) *Server {
	s.t.Helper()
	s.must(s.client.MakeBucket(context.Background(), bucket, minio.MakeBucketOptions{}))
	return s
}

// Put stores an object.
func (s *Server) Put(bucket, key string, content []byte) {
	s.t.Helper()
	_, err := s.client.PutObject(context.Background(), bucket, key, bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{})
	s.must(err)
}

// Get returns the content of an object.
func (s *Server) Get(bucket, key string) []byte {
	s.t.Helper()
	o, err := s.client.GetObject(context.Background(), bucket, key, minio.GetObjectOptions{})
	s.must(err)
	content, err := io.ReadAll(o)
	s.must(err)
	return content
}

// Remove removes an object.
func (s *Server) Remove(bucket, key string) {
	s.t.Helper()
	s.must(s.client.RemoveObject(context.Background(), bucket, key, minio.RemoveObjectOptions{}))
}

// Keys returns the keys that begin with a prefix, in order.
func (s *Server) Keys(bucket, prefix string) (keys []string) {
	s.t.Helper()
	for o := range s.client.ListObjectsIter(context.Background(), bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		s.must(o.Err)
		keys = append(keys, o.Key)
	}
	return keys
}

// Uploads returns how many uploads in parts of a key have been begun and neither completed nor taken back.
func (s *Server) Uploads(bucket, key string) int {
	s.t.Helper()
	found, err := (&minio.Core{Client: s.client}).ListMultipartUploads(context.Background(), bucket, key, "", "", "", 1000)
	s.must(err)
	return len(found.Uploads)
}
