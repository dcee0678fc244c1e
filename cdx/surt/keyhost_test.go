package surt

import "testing"

func TestHostOf(t *testing.T) {
	for key, want := range map[string]string{
		"org,example,www)/a": "www.example.org", "org,example:8080)/": "example.org:8080", "dns:example.org": "", "1,0,0,127)/": "127.0.0.1",
	} {
		if got := HostOf(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
