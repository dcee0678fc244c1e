// Package opensearchtest starts a real OpenSearch or Elasticsearch for tests. scripts/opensearch.sh builds both from Maven's packages.
package opensearchtest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An Engine is one of the two.
type Engine string

const (
	OpenSearch    Engine = "opensearch"
	Elasticsearch Engine = "elasticsearch"
)

// Each runs a test with each engine, side by side: what varve asks them is spelled alike, and the test has all of it.
func Each(t *testing.T, test func(t *testing.T, of Engine)) {
	t.Helper()
	for _, of := range []Engine{OpenSearch, Elasticsearch} {
		t.Run(string(of), func(t *testing.T) {
			t.Parallel() // it mostly waits for the engine
			test(t, of)
		})
	}
}

// A Node is a running engine. The first of a test leads; others join it.
type Node struct {
	URL     string
	seed    int
	process *exec.Cmd
	input   io.Closer
	ended   chan error
}

// startTime is how long a node may take to start on a machine that is busy.
const startTime = 5 * time.Minute

// Start starts a node, which ends with the test. It skips the test where the engine hasn't been built.
func Start(tb testing.TB, of Engine, join ...*Node) *Node {
	tb.Helper()
	if testing.Short() {
		tb.Skip("a search engine takes long to start: make opensearch runs this test with it")
	}
	bin := built(of)
	if bin == "" {
		tb.Skip("the search engine isn't built: make opensearch runs this test with it, where there are Java 17 and Maven")
	}
	web, transport := free(tb), free(tb)
	n := &Node{URL: fmt.Sprintf("http://127.0.0.1:%d", web), seed: transport, ended: make(chan error, 1)}
	if len(join) > 0 {
		n.seed = join[0].seed
	}
	dir := tb.TempDir()
	n.process = exec.Command("java", "-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
		bin+":"+filepath.Join(bin, "lib", "*"), "TestNode", dir, filepath.Base(dir), fmt.Sprint(web), fmt.Sprint(transport), fmt.Sprint(n.seed))
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		tb.Fatal(err)
	}
	n.process.Stdout, n.process.Stderr = said, said
	if n.input, err = n.process.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	if err := n.process.Start(); err != nil {
		tb.Fatal(err)
	}
	go func() { n.ended <- n.process.Wait() }()
	tb.Cleanup(func() {
		n.Kill()
		_ = said.Close()
	})
	for end := time.Now().Add(startTime); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if n.answers(len(join) + 1) {
			return n
		}
		select {
		case err := <-n.ended:
			n.ended <- err
			text, _ := os.ReadFile(said.Name())
			tb.Fatalf("%s ended: %v\n%s", of, err, tail(string(text)))
		default:
		}
	}
	text, _ := os.ReadFile(said.Name())
	tb.Fatalf("%s does not start\n%s", of, tail(string(text)))
	return nil
}

func tail(s string) string { return s[max(0, len(s)-4000):] }

// answers reports whether a cluster of so many nodes answers.
func (n *Node) answers(nodes int) bool {
	answer, err := http.Get(fmt.Sprintf("%s/_cluster/health?wait_for_nodes=%d&timeout=1s", n.URL, nodes))
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode == http.StatusOK && !strings.Contains(string(text), `"status":"red"`)
}

// Kill ends the node at once, as a crash would.
func (n *Node) Kill() {
	if n.process.Process != nil {
		_ = n.process.Process.Kill()
		err := <-n.ended
		n.ended <- err
	}
}

// built returns where the engine is, "" if it hasn't been built or there is no Java.
func built(of Engine) string {
	if _, err := exec.LookPath("java"); err != nil {
		return ""
	}
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "bin", string(of))
		if _, err := os.Stat(filepath.Join(path, "TestNode.class")); err == nil {
			return path
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// free returns a port that nobody listens on.
func free(tb testing.TB) int {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
