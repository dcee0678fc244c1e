// Package archivetest writes small archives and builds indexes of made-up captures, for tests of packages that use an
// archive.
package archivetest
