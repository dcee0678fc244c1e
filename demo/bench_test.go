package demo

import "testing"

func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if _, err := Write(dir); err != nil {
			b.Fatal(err)
		}
	}
}
