// Package gathering runs whatever makes requests to the live web – crawls, followers, recorders, fetches of mementos – and has their
// files indexed.
//
// An [Output] is the place of the WARC files: a folder of this machine, or a bucket to which complete files are moved. It has them
// indexed by this process, or by the server that has the index open.
package gathering
