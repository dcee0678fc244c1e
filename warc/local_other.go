//go:build !unix

package warc

// openFlags are none where no file lets its opener wait.
const openFlags = 0
