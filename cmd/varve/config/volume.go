package config

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// A Volume is a number of bytes, such as 10GB or 512MiB.
type Volume int64

func (v *Volume) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n == 0 || n > 1<<50 {
		return fmt.Errorf("%.40q: want a number of bytes such as 10GB", text)
	}
	*v = Volume(n)
	return nil
}
