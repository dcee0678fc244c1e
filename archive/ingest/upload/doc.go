// Package upload takes a file of archived records from a stranger, checks it, and puts it whole into a folder.
//
// Nothing of what comes with the file is believed: its name becomes one that is safe on every system ([Name]), its type
// is what its bytes are, and it is read to its end as the index would read it ([Check]) before it can be seen in the
// folder. Until then it is under a name that nothing else looks at ([Folder]). A [Queue] takes many files, a bounded
// number at once, and tells of each how far it is.
//
// The package knows neither HTTP nor the index: who indexes a file that was taken is given to the queue as a function.
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package upload
