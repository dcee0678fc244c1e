// Package write writes captures as WARC/1.1 files (ISO 28500:2017), one gzip member per record.
//
// A [Writer] takes one [Exchange] after the other and writes each as a response, or as a revisit if the payload is known already, with the
// request and metadata beside it. Messages are written byte for byte as they were transmitted. The records of an exchange are together in
// one file.
//
// A file is called NAME-TS14-SERIAL.warc.gz.open while it is written, and loses ".open" when it is complete and on the disk. However the
// process ends, all exchanges for which [Writer.Write] has returned are in the file; at the next start [Mend] completes files that were
// left open.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package write
