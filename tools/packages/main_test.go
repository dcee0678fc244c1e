package main

import "testing"

func TestNumber(t *testing.T) {
	for version, want := range map[string]string{
		"v0.1.0": "0.1.0", "v0.1.0-3-gabcdef0": "0.1.0.3.gabcdef0", "81c7f0bd": "0~81c7f0bd", "81c7f0bd-dirty": "0~81c7f0bd.dirty",
	} {
		if got := (&release{version: version}).number(); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}
