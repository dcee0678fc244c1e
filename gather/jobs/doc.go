// Package jobs is a queue of crawls, kept as files in a data folder. Whoever may order a crawl adds a job ([Folder.Leave]), and a
// process that crawls takes one after the other ([Folder.Take]). The two need not run at the same time.
//
// The folder has a subfolder for each state. A job changes its state by a rename, so it is always in exactly one of them:
//
//	waiting/ID.json   added, and not taken yet
//	running/ID.json   taken; it goes back to waiting if the process that runs it ends before it is done
//	over/ID.json      done, failed or canceled; the last ones are kept
//	taking            empty; locked by the process that takes jobs
package jobs
