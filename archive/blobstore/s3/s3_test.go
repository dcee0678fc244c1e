package s3

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/varve-archive/varve/internal/testkit/s3test"
)

func TestEndpointsThatAreNone(t *testing.T) {
	for _, endpoint := range []string{"localhost:9000", "s3://x", "https://", "https://host/path", "\x7f"} {
		if _, err := New(endpoint); err == nil {
			t.Errorf("%q is taken", endpoint)
		}
	}
}

// smallest is how small parts may be, but for the last.
const smallest = 5 << 20

func client(t *testing.T, endpoint string) *Client {
	t.Helper()
	c, err := New(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	c.pauses = []time.Duration{time.Millisecond, time.Millisecond}
	c.part = smallest
	return c
}

// ways are the requests to an object storage.
var ways = map[string]func(t *testing.T, c *Client, bucket string) error{
	"stat": func(t *testing.T, c *Client, bucket string) error {
		_, err := c.Stat(t.Context(), bucket, "a")
		return err
	},
	"get": func(t *testing.T, c *Client, bucket string) error {
		_, _, err := c.Get(t.Context(), bucket, "a", "", 0, 0)
		return err
	},
	"list": func(t *testing.T, c *Client, bucket string) error {
		for _, err := range c.List(t.Context(), bucket, "") {
			return err
		}
		return nil
	},
	"put": func(t *testing.T, c *Client, bucket string) error {
		return c.Put(t.Context(), bucket, "a", strings.NewReader("x"), false)
	},
	"put new": func(t *testing.T, c *Client, bucket string) error {
		return c.Put(t.Context(), bucket, "a", strings.NewReader("x"), true)
	},
	"put in parts": func(t *testing.T, c *Client, bucket string) error {
		return c.Put(t.Context(), bucket, "a", io.LimitReader(endless{}, smallest+1), false)
	},
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// says asks in each way, and checks what errors say.
func says(t *testing.T, c *Client, bucket string, is error, sentence string, but ...string) {
	t.Helper()
	for name, ask := range ways {
		if strings.Contains(strings.Join(but, ","), name) {
			continue
		}
		if err := ask(t, c, bucket); err == nil || !errors.Is(err, is) || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%s: %v, want %q", name, err, sentence)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	s3test.OnEach(t, func(t *testing.T, s *s3test.Server) {
		says(t, client(t, s.URL), "no-such-bucket", ErrNoBucket, `has no bucket "no-such-bucket"`)
		if !s.Real {
			return // it lets everybody do everything
		}
		s.Make("files")
		s.Be(s3test.User, "another-secret", "")
		says(t, client(t, s.URL), "files", fs.ErrPermission, "check AWS_ACCESS_KEY_ID")
		s.Be("nobody", "another-secret", "")
		says(t, client(t, s.URL), "files", fs.ErrPermission, "check AWS_ACCESS_KEY_ID")
		s.Be("", "", "")
		says(t, client(t, s.URL), "files", fs.ErrPermission, "the rights of this user")
		s.BeLimited(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:GetObject","s3:ListBucket","s3:GetBucketLocation"],` +
			`"Resource":["arn:aws:s3:::*"]}]}`)
		says(t, client(t, s.URL), "files", fs.ErrPermission, "the rights of this user", "stat", "get", "list")
		if u := s.Uploads("files", "a"); u != 0 {
			t.Errorf("%d uploads are left", u)
		}
	})
}

// Writing takes the rights that docs/machines.md names, and no others.
func TestRightsThatWritingTakes(t *testing.T) {
	s := s3test.MinIO(t).Make("files")
	s.BeLimited(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:GetObject","s3:ListBucket","s3:PutObject",` +
		`"s3:AbortMultipartUpload"],"Resource":["arn:aws:s3:::*"]}]}`)
	c := client(t, s.URL)
	for _, isNew := range []bool{true, false} {
		for _, size := range []int64{10, partOfUnknown + 1} {
			if err := c.Put(t.Context(), "files", fmt.Sprint(isNew, size), io.LimitReader(endless{}, size), isNew); err != nil {
				t.Errorf("new %v, %d bytes: %v", isNew, size, err)
			}
		}
	}
	broken := io.MultiReader(io.LimitReader(endless{}, smallest+1), iotest.ErrReader(errors.New("broken")))
	if err := c.Put(t.Context(), "files", "broken", broken, true); err == nil || s.Uploads("files", "broken") != 0 {
		t.Errorf("%v, %d uploads are left", err, s.Uploads("files", "broken"))
	}
}

// The region of a bucket is found, or another one that is given is named as the fault.
func TestRegions(t *testing.T) {
	s := s3test.MinIO(t, "MINIO_SITE_REGION=eu-central-1").Make("files")
	t.Setenv("AWS_REGION", "")
	if err := client(t, s.URL).Put(t.Context(), "files", "a", strings.NewReader("x"), false); err != nil {
		t.Errorf("no region is given: %v", err)
	}
	t.Setenv("AWS_REGION", "eu-north-1")
	for name, ask := range ways {
		if err := ask(t, client(t, s.URL), "files"); err == nil || !strings.Contains(err.Error(), "AWS_REGION") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a storage may answer that can't be had from one on this machine.
func TestAnswersOfOtherStorages(t *testing.T) {
	for code, test := range map[string]struct {
		status int
		says   string
	}{
		"RequestTimeTooSkewed": {403, "clock"}, "QuotaExceeded": {409, "no room"}, "InvalidObjectState": {403, "restored"},
		"XMinioStorageFull": {507, "no room"},
		"PermanentRedirect": {301, "AWS_REGION"}, "InvalidBucketName": {400, "no name of a bucket"}, "SlowDown": {503, "does not answer"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(test.status)
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>m</Message></Error>", code)
		}))
		t.Setenv("AWS_REGION", "us-east-1")
		c := client(t, server.URL)
		for _, way := range []string{"list", "put"} {
			if err := ways[way](t, c, "files"); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %s: %v", code, way, err)
			}
		}
		server.Close()
	}
}

// Credentials and region come from all places where Amazon's tools look for them.
func TestWhoAsks(t *testing.T) {
	lent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"AccessKeyId":"LENT","SecretAccessKey":"s","Token":"t","Expiration":%q}`, time.Now().Add(time.Hour).Format(time.RFC3339))
	}))
	t.Cleanup(lent.Close)
	s3test.Memory(t).Be("", "", "")
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", lent.URL)
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "eu-north-1")
	var said string
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { said = r.Header.Get("Authorization") }))
	t.Cleanup(storage.Close)
	_ = ways["put"](t, client(t, storage.URL), "files")
	if !strings.Contains(said, "Credential=LENT/") || !strings.Contains(said, "/eu-north-1/s3/") {
		t.Errorf("the storage is told %q", said)
	}
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "")
	for endpoint, may := range map[string]bool{
		"": true, "https://s3.eu-west-1.amazonaws.com": true, "https://s3.dualstack.eu-west-1.amazonaws.com": true,
		"https://s3.cn-north-1.amazonaws.com.cn": true, "https://storage.example": false,
	} {
		if got := client(t, endpoint).mayHaveRole(); got != may {
			t.Errorf("%q: the role of this machine is asked for: %v", endpoint, got)
		}
	}
}

// Where nobody lends credentials, that is noticed once and not before each request.
func TestARoleThatIsNone(t *testing.T) {
	asked := 0
	nobody := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(nobody.Close)
	s := s3test.Memory(t).Make("files")
	s.Put("files", "a", []byte("x"))
	s.Be("", "", "")
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", nobody.URL)
	c := client(t, s.URL)
	for range 5 {
		if err := ways["stat"](t, c, "files"); err != nil {
			t.Error(err)
		}
	}
	if asked != 1 {
		t.Errorf("asked for a role %d times", asked)
	}
}

// failing lets some answers fail: those that come to nothing, and those that get lost.
type failing struct {
	before, after, completed atomic.Int64 // so many of the next answers to PUT and POST; completed: of uploads
}

func (f *failing) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch writes := r.Method == http.MethodPut || r.Method == http.MethodPost; {
		case writes && f.before.Add(-1) >= 0:
			w.WriteHeader(http.StatusServiceUnavailable)
		case writes && f.after.Add(-1) >= 0, r.Method == http.MethodPost && r.URL.Query().Has("uploadId") && f.completed.Add(-1) >= 0:
			h.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

func TestWritingIsTriedAgain(t *testing.T) {
	f := new(failing)
	s := s3test.Wrapped(t, f.wrap).Make("files")
	c := client(t, s.URL)
	for name, test := range map[string]struct {
		size  int64
		isNew bool
	}{
		"small": {100, false}, "large": {smallest + 100, false}, "new": {100, true}, "large and new": {smallest + 100, true},
	} {
		content := bytes.Repeat([]byte{'x'}, int(test.size))
		for lost, count := range map[string]*atomic.Int64{"before": &f.before, "after": &f.after, "completed": &f.completed} {
			f.completed.Store(0)
			count.Store(1)
			if err := c.Put(t.Context(), "files", name+lost, bytes.NewReader(content), test.isNew); err != nil {
				t.Errorf("%s %s: %v", name, lost, err)
			}
			if got := s.Get("files", name+lost); !bytes.Equal(got, content) {
				t.Errorf("%s %s: %d bytes", name, lost, len(got))
			}
		}
	}
	f.before.Store(1000)
	if err := c.Put(t.Context(), "files", "never", strings.NewReader("x"), true); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a storage that never answers: %v", err)
	}
}

// Each attempt is counted, and what it brought.
func TestRequestsAreCounted(t *testing.T) {
	t.Setenv("AWS_REGION", "us-east-1") // else that is asked for first
	n := 0
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("ETag", `"e"`)
		w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
		_, _ = w.Write([]byte("12345"))
	}))
	t.Cleanup(storage.Close)
	c, err := New(storage.URL)
	if err != nil {
		t.Fatal(err)
	}
	body, _, err := c.Get(t.Context(), "bucket", "key", "", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if _, err := io.ReadAll(body); err != nil {
		t.Fatal(err)
	}
	if got := c.Counts(); got.Requests["GET"] != 2 || got.Failures != 1 || got.Received < 5 {
		t.Errorf("%+v", got)
	}
}

func TestAddressesOfObjects(t *testing.T) {
	for address, want := range map[string][2]string{
		"s3://b/a/c": {"b", "a/c"}, "s3://b/": {"b", ""}, "s3://b": {"b", ""}, "s3://b//a": {"b", "/a"},
	} {
		if bucket, key := Split(address); bucket != want[0] || key != want[1] {
			t.Errorf("%s: %q in %q", address, key, bucket)
		}
	}
}
