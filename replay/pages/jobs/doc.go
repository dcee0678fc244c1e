// Package jobs has the page on which crawls are ordered, and of what became of the orders, and the same as JSON. It leaves each as a file
// (package gather/jobs), which another process takes: nothing that serves reaches the live web.
//
// It is for whom crawls are shown (package crawls), and what access rules exclude is left out of it.
package jobs
