// Command health checks whether a varve server on this machine works. It is for containers, which have no shell.
//
// It uses the address in VARVE_LISTEN, else varve's default. Exit codes: 0 it works, 1 it doesn't.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// timeout is shorter than the container's own, so that the reason is printed before that ends.
const timeout = 3 * time.Second

func main() {
	if err := checkHealth(address(os.Getenv("VARVE_LISTEN"))); err != nil {
		fmt.Fprintln(os.Stderr, "health:", err)
		os.Exit(1)
	}
}

// address returns where a server with this listen address can be reached; all interfaces include loopback.
func address(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "127.0.0.1:8080"
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// checkHealth returns nil if the server says that it works.
func checkHealth(addr string) error {
	client := http.Client{Timeout: timeout}
	answer, err := client.Get("http://" + addr + "/-/healthz")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		say, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		return fmt.Errorf("%s: %s", answer.Status, strings.TrimSpace(string(say)))
	}
	return nil
}
