// Package runs makes crawls visible and controllable for other processes, by files: in a data folder each crawl has a folder, in
// which its process writes its progress and looks for orders.
//
// A crawl begins with [Folder.Begin] and publishes its progress with [OwnCrawl.Keep]. Others read it with [Folder.All] or [Folder.Get],
// and control it with [Folder.Order]. Neither side needs the other, or a server. Files of a killed process are recognized by its
// lock, which the system releases.
//
// The files of the crawl NAME, in the folder NAME:
//
//	status.json  a [Run], written once a second
//	running      empty; locked by the process that crawls
//	order        an [Order] that the process has not taken yet
package runs
