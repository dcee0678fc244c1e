package main

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

const blockSize = 512 // of st_blocks, see stat(2)

// onDisk returns how much a file takes on the disk. One with holes takes less than its length.
func onDisk(info fs.FileInfo) float64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return float64(stat.Blocks * blockSize)
	}
	return float64(info.Size())
}

// endsWithUs says that a process is killed if this one is.
func endsWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// yieldToOthers makes all threads of this process nice, and those to come. The server isn't: it was started before.
func yieldToOthers() error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		if err := syscall.Setpriority(syscall.PRIO_PROCESS, id, 10); err != nil {
			return err
		}
	}
	return nil
}
