// Package crawl goes over sites and writes what they answer as WARC files.
//
// [Parse] reads a crawl file into [Settings]; [New] opens a crawl on a frontier (package gather/crawl/frontier), which keeps what has
// to be asked for, and [Crawl.Run] goes on with it until nothing is left, a limit is reached or the context ends. The core is a
// visit: ask for an address (package client), queue what the answer names, write the answer (package archive/warc/write), and only then
// take the address out of the queue. A crawl that is killed at any moment loses no answer that was written, and writes none twice.
//
// What to ask for is decided by four things, each in a file of its own: the scope of the crawl, the traps that it knows, the robots.txt
// of the host, and its limits. Whatever is left out is counted by its reason.
package crawl
