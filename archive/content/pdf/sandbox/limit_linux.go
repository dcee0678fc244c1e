package sandbox

import "syscall"

// limitProcess makes the kernel refuse this process more memory than limit, kill it after some seconds of work, and
// write no core dump of it.
func limitProcess(memory, seconds uint64) error {
	for _, l := range []struct {
		resource int
		most     uint64
	}{
		{syscall.RLIMIT_DATA, memory}, {syscall.RLIMIT_CPU, seconds}, {syscall.RLIMIT_CORE, 0},
	} {
		var have syscall.Rlimit
		if err := syscall.Getrlimit(l.resource, &have); err != nil {
			return err
		}
		most := min(l.most, have.Max)
		if err := syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return nil
}
