// Package runs has what others see of crawls, and how they steer them, as files alone: in a data folder each crawl has a folder
// of its own, in which its process says how far it is and looks for orders.
//
// A crawl begins with [Folder.Begin] and keeps what it says up to date with [Mine.Keep]. Whoever looks asks [Folder.All] or
// [Folder.Get], and steers with [Folder.Order]. Neither needs the other to be there, nor a server. What a killed process has
// left counts for nothing: while it lives, it has a lock that the system takes back from it.
//
// The files of the crawl NAME, in the folder NAME:
//
//	status.json  a [Run], written once a second
//	running      empty; locked by the process that crawls
//	order        an [Order] that the process has not taken yet
package runs
