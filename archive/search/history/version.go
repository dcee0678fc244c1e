package history

import "github.com/varve-archive/varve/cdx"

// A Version is a validity range at level text.
type Version struct {
	First, Last cdx.Timestamp
	Text        uint64 // ID of the text; 0 for none; not kept in tables
	Missing     bool   // a redirect, a missing page, a soft 404 or an error
	Soft404     bool
	// Minor says that the version differs from the one before only in furniture and volatile blocks, so it is no version at level content.
	Minor bool

	Title, Lang string // of its text, "" if unknown
	MIME        string // media type of its first capture, without parameters
	Status      int    // of its first capture
	Fields      string // what templates read from it, see package fields; "" for nothing
}

// A Row is a version in a [Table].
type Row struct {
	Version
	// Carried says that this is the last version of the previous part, repeated for comparison.
	Carried bool
	Words   int // in its text
	// Deleted and Added count the words that the step to this version deleted and added.
	Deleted, Added int
}

// flags lists the boolean fields in the order of their bits in a table.
func (r *Row) flags() [4]*bool { return [4]*bool{&r.Missing, &r.Soft404, &r.Minor, &r.Carried} }
