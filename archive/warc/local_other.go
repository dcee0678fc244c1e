//go:build !unix

package warc

// openFlags are empty where no file makes its opener wait.
const openFlags = 0
