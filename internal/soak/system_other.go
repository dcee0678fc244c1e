//go:build !linux

package main

import (
	"errors"
	"io/fs"
)

func onDisk(info fs.FileInfo) float64 { return float64(info.Size()) }

// What is measured is read from /proc.
func yieldToOthers() error { return errors.New("a soak runs on Linux only") }
