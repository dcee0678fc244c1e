package cdx

// CDX11Header is the first line of a CDX file with eleven columns.
const CDX11Header = " CDX N b a m s k r M S V g"

// AppendCDXJ appends c as a CDXJ line without its line break: key, timestamp and a JSON object of
// strings (url, mime, status, digest, length, offset, filename and, where known, redirect, range, change).
// rng is the index of the validity range, -1 if unknown; change is "" if unknown.
func AppendCDXJ(dst []byte, c *Capture, rng int, change string) []byte {
	r := row{Capture: c, rng: rng, change: change}
	return r.appendCDXJ(dst, cdxjColumns)
}

// AppendCDX11 appends c as a line of a CDX file with eleven columns, without its line break.
func AppendCDX11(dst []byte, c *Capture) []byte {
	r := row{Capture: c, rng: -1}
	return r.appendText(dst, cdx11Columns)
}

// appendCDXJ appends key, timestamp and the columns as an object. A key or time among the columns
// isn't said twice.
func (r *row) appendCDXJ(dst []byte, cols []column) []byte {
	dst = append(dst, r.Key...)
	dst = append(dst, ' ')
	dst = r.Time.Append(dst)
	dst = append(dst, ' ')
	return r.appendObject(dst, cols)
}
