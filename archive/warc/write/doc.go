// Package write writes what was captured as WARC/1.1 files (ISO 28500:2017), one gzip member a record.
//
// A [Writer] takes an [Exchange] after the other and writes each as a response, or as a revisit if the payload is known
// already, with the request that led to it and metadata beside it. Messages are written byte for byte as they went over
// the wire. The records of an exchange stand together in one file.
//
// A file is NAME-TS14-SERIAL.warc.gz.open while it is written, and loses ".open" once it is on the disk and complete. Whatever
// ends the process, all exchanges that [Writer.Write] has returned for are in the file; [Mend] gives a file that was left
// its name, at the next start.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package write
