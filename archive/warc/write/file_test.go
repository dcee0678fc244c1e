package write

import "testing"

// A file takes what fits exactly, and the first exchange however large it is.
func TestWhenAFileIsFull(t *testing.T) {
	for _, tt := range []struct {
		name    string
		size, n int64
		want    bool
	}{
		{"no exchange, and a large one", 100, 1000, false},
		{"one that fits", 101, 398, false},
		{"one that fits exactly", 101, 399, false},
		{"a byte too much", 101, 400, true},
	} {
		if got := (&file{size: tt.size, info: 100}).full(tt.n, 500); got != tt.want {
			t.Errorf("%s: full is %t", tt.name, got)
		}
	}
}
