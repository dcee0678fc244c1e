package warc

import "github.com/varve-archive/varve/cdx"

// ParseDate reads a WARC-Date or WARC-Refers-To-Date, in all the forms that stores have.
func ParseDate(s string) (cdx.Timestamp, error) { return parseDate(s) }
