package config

import "testing"

func TestVolume(t *testing.T) {
	for text, want := range map[string]Volume{
		"10GB": 1e10, "512MiB": 512 << 20, "100 kB": 1e5, "7": 7, "0": 0, "-1": 0, "": 0, "lots": 0, "9EB": 0,
	} {
		var v Volume
		if err := v.UnmarshalText([]byte(text)); v != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %d (%v)", text, v, err)
		}
	}
}
