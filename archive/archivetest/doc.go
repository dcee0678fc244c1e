// Package archivetest makes indexes of made-up captures for tests of what asks an archive.
package archivetest
