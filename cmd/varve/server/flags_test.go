package server

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

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

func TestFlagsThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name  string
		flags Flags
		want  string // in the error; "" for none
	}{
		{"none", Flags{}, ""},
		{"rules that aren't there", Flags{Access: filepath.Join(t.TempDir(), "rules.yaml")}, "--access"},
		{"a front server", Flags{Trust: []string{"127.0.0.1", "10.0.0.0/8", "::1"}}, ""},
		{"one without an address", Flags{Trust: []string{"127.0.0.1", "front"}}, `--trust "front"`},
		{"a datetime", Flags{ProxyDatetime: "2020"}, ""},
		{"no datetime", Flags{ProxyDatetime: "soon"}, "--proxy-datetime"},
		{"a folder", Flags{UploadTo: t.TempDir()}, ""},
		{"a bucket without a name", Flags{UploadTo: "s3://"}, "--upload-to"},
	} {
		err := tt.flags.Validate()
		if (err != nil) != (tt.want != "") || !strings.Contains(fmt.Sprint(err), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	trusted, err := (&Flags{Trust: []string{"127.0.0.1", "10.0.0.0/8", "::1"}}).trusted()
	if got := fmt.Sprint(trusted); got != "[127.0.0.1/32 10.0.0.0/8 ::1/128]" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if ts, err := (&Flags{ProxyDatetime: "2020"}).proxyDatetime(); ts.String() != "20200101000000" || err != nil {
		t.Errorf("%s, %v", ts, err)
	}
}

// What a server does for its own machine alone, it does for others if a flag says so.
func TestWhatAServerMayDo(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		listen     string
		flag       *bool
		may, asked bool
	}{
		{"127.0.0.1:80", nil, true, false},
		{":80", nil, false, false},
		{":80", &yes, true, true},
		{"127.0.0.1:80", &no, false, false},
	} {
		if may, asked := (&Flags{Listen: tt.listen}).may(tt.flag); may != tt.may || asked != tt.asked {
			t.Errorf("%s: %v, %v", tt.listen, may, asked)
		}
	}
}

func TestAPathLiesInAFolder(t *testing.T) {
	for path, want := range map[string]bool{
		"/a": true, "/a/": true, "/a/b": true, "/a/..b": true, "/a/b/../c": true, "/": false, "/b": false, "/ab": false, "/a/../b": false,
	} {
		if got, err := liesIn("/a", path); got != want || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
}
