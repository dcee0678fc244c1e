// Package gathering runs what asks the live web – crawls, followers, recorders, fetches of mementos – and hands over what they write to the
// index.
//
// An [Output] is where the WARC files go: a folder of this machine, or a bucket to which complete files are moved. It has them indexed by
// this process, or by the server that has the index open.
package gathering
