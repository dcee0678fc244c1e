// Package client makes requests to the live web. It is the only package that does, and nothing that serves an archive can reach it.
//
// A [Client] exchanges messages by HTTP/1.1 and keeps the bytes of both as they were on the wire, so that they can be written to a
// WARC file. It follows no redirects, keeps no cookies and decodes nothing. It refuses addresses that aren't on the public Internet
// when it connects, after all names and redirects are resolved.
//
// gather/politeness limits how often a host is asked; gather/robots reads robots.txt.
package client
