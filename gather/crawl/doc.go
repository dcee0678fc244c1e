// Package crawl captures sites as WARC files.
//
// [Parse] reads a crawl file into [Settings]; [New] opens a crawl on a frontier (package gather/crawl/frontier), which holds the
// queue, and [Crawl.Run] continues it until the queue is empty, a limit is reached or the context ends. The core is a visit:
// request an address (package client), queue the addresses in its answer, write the answer (package archive/warc/write), and only
// then remove the address from the queue. A crawl that is killed at any moment loses no written answer, and writes none twice.
//
// Four things decide what is requested, each in a file of its own: the scope of the crawl, known traps, the robots.txt of the host,
// and the limits. What is left out is counted by its reason.
package crawl
