// Package jobs has crawls that are to be run, as files in a data folder: whoever may order one leaves it ([Folder.Leave]), and a process
// that asks the live web takes one after the other ([Folder.Take]). Neither needs the other to be there.
//
// The folder has a folder for each of what jobs are doing. A job goes from one to the next by a rename, so it is in one place at a time:
//
//	waiting/ID.json   left, and not taken yet
//	running/ID.json   taken; it goes back to waiting if the process that runs it ends before it is done
//	over/ID.json      done, failed or canceled; the last ones are kept
//	taking            empty; locked by the process that takes jobs
package jobs
