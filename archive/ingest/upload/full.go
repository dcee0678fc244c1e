package upload

import (
	"errors"
	"syscall"

	"github.com/varve-archive/varve/internal/disk"
)

// IsFull reports whether an error says that there is no room on the disk.
func IsFull(err error) bool { return errors.Is(err, disk.ErrFull) || errors.Is(err, syscall.ENOSPC) }
