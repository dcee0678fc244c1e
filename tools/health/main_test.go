package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAddressIsWhereTheServerAnswersOnThisMachine(t *testing.T) {
	for listen, want := range map[string]string{
		"":               "127.0.0.1:8080",
		"0.0.0.0:9000":   "127.0.0.1:9000",
		":9000":          "127.0.0.1:9000",
		"[::]:9000":      "127.0.0.1:9000",
		"10.0.0.7:8080":  "10.0.0.7:8080",
		"localhost:8081": "localhost:8081",
	} {
		if got := address(listen); got != want {
			t.Errorf("address(%q) = %q, want %q", listen, got, want)
		}
	}
}

func TestAskSaysWhatTheServerSays(t *testing.T) {
	well := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/-/healthz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		if !well {
			http.Error(w, "the disk is full", http.StatusInternalServerError)
		}
	}))
	defer server.Close()
	addr := server.Listener.Addr().String()
	if err := checkHealth(addr); err != nil {
		t.Errorf("a server that is well: %v", err)
	}
	well = false
	if err := checkHealth(addr); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("a server that is not: %v", err)
	}
	server.Close()
	if err := checkHealth(addr); err == nil {
		t.Error("no server: no error")
	}
}
