// Command conformance writes docs/conformance.md: which clauses of the standards and which parameters of other CDX
// servers varve supports, which it doesn't and why, and the tests that show it.
//
//	go run -C tools ./conformance ..
//
// How varve handles each clause is in table.yaml; the tests are found in the source tree. A test
// that the table names must exist, and a clause that a test quotes, as in "RFC 7089 §4.5.3", must be in the table.
// Otherwise the command fails.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: conformance ROOT")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// write keeps the existing page if it can't make a new one.
func write(root string) error {
	sources, err := read()
	if err != nil {
		return err
	}
	page, err := pageOf(root, sources)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "conformance.md"), page, 0o644)
}

// pageOf returns the page for the tests below root, or everything that is wrong with the table.
func pageOf(root string, sources []source) ([]byte, error) {
	t, err := readTree(root)
	if err != nil {
		return nil, err
	}
	sources = withQuotes(sources, t)
	if err := errors.Join(check(sources, t)...); err != nil {
		return nil, err
	}
	return render(sources, t), nil
}
