package sandbox

import "syscall"

// limitProcess limits the memory and the processor time of this process by the kernel, and disables core dumps.
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
