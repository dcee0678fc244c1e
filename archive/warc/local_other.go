//go:build !unix

package warc

// openFlags is 0 on systems where opening a file never blocks.
const openFlags = 0
