package server

import "testing"

// A server that only this machine reaches keeps archived bytes from other origins.
func TestPrivate(t *testing.T) {
	for _, tt := range []struct {
		listen, public string
		want           bool
	}{
		{"127.0.0.1:8080", "", true},
		{"127.1.2.3:0", "", true},
		{"[::1]:8080", "", true},
		{"localhost:8080", "", true},
		{"0.0.0.0:8080", "", false},
		{"[::]:8080", "", false},
		{":8080", "", false},
		{"192.0.2.1:8080", "", false},
		{"varve.example:8080", "", false},
		{"127.0.0.1:8080", "https://varve.example", false}, // behind a reverse proxy
		{"localhost", "", false},                           // no port: it will not listen
	} {
		if got := (&Flags{Listen: tt.listen, PublicURL: tt.public}).private(); got != tt.want {
			t.Errorf("%s %s: %t", tt.listen, tt.public, got)
		}
	}
}
