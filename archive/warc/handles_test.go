package warc

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// A file that was removed is closed some time after its last reader has left, so that the disk has its room back.
func TestFilesThatNobodyReadsAreClosed(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h := newHandles(Local{})
		defer h.close()
		acquire := func(name string) *handle {
			t.Helper()
			f, err := h.acquire(t.Context(), filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		closed := func(f *handle) bool {
			_, err := f.ReadAt(make([]byte, 1), 0)
			return errors.Is(err, os.ErrClosed)
		}
		for _, name := range []string{"left.warc", "used.warc", "read.warc"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("WARC/1.1\r\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		left, used, read := acquire("left.warc"), acquire("used.warc"), acquire("read.warc")
		h.release(left)
		h.release(used)
		if err := os.Remove(filepath.Join(dir, "left.warc")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(idleTime / 2)
		h.release(acquire("used.warc"))
		time.Sleep(idleTime*3/4 - time.Second)
		synctest.Wait()
		if !closed(left) || closed(used) || closed(read) {
			t.Errorf("closed: %t what was left, %t what was used later, %t what is read", closed(left), closed(used), closed(read))
		}
		h.release(read)
		time.Sleep(2 * idleTime)
		synctest.Wait()
		if !closed(used) || !closed(read) {
			t.Error("files stay open when nobody reads any more")
		}
		again := acquire("used.warc")
		if closed(again) {
			t.Error("a file that was closed isn't opened again")
		}
		h.release(again)
		time.Sleep(2 * idleTime)
		synctest.Wait()
		if !closed(again) {
			t.Error("it stays open the second time")
		}
	})
}
