// Package client asks the live web. It is the only package that does, and nothing that serves an archive can reach it.
//
// A [Client] makes one exchange at a time with a server, by HTTP/1.1, and keeps the bytes of both messages as they went over
// the wire, so that they can be written to a WARC file. It follows no redirect, keeps no cookie and decodes nothing. It refuses
// addresses that aren't on the public Internet when it connects, behind all names and redirects.
//
// gather/politeness keeps from asking a host too often; gather/robots reads robots.txt.
package client
