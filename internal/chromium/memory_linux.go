package chromium

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"github.com/chromedp/chromedp"
)

// Memory returns how much memory the processes of the browser take, in bytes; 0 if there are none.
func (p *Process) Memory() int64 {
	p.mu.Lock()
	root := p.root
	p.mu.Unlock()
	if root == nil || root.Err() != nil {
		return 0
	}
	c := chromedp.FromContext(root)
	if c == nil || c.Browser == nil || c.Browser.Process() == nil {
		return 0
	}
	return memoryOf(c.Browser.Process().Pid) * int64(os.Getpagesize())
}

// memoryOf returns the number of memory pages that only a group of processes uses (proc(5)).
func memoryOf(group int) (pages int64) {
	found, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := bytes.Cut(text, []byte(") "))
		fields := bytes.Fields(after) // from the third on: state, parent, group
		if len(fields) < 3 || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		sizes, err := os.ReadFile(filepath.Join(filepath.Dir(path), "statm"))
		if f := bytes.Fields(sizes); err == nil && len(f) > 2 {
			resident, _ := strconv.ParseInt(string(f[1]), 10, 64)
			shared, _ := strconv.ParseInt(string(f[2]), 10, 64)
			pages += resident - shared
		}
	}
	return pages
}
