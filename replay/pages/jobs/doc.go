// Package jobs has the page on which crawls are ordered and their results are shown, and the same as JSON. It stores each order as a file
// (package gather/jobs), which another process takes: nothing that serves reaches the live web.
//
// The page has the same readers as the page of crawls (package crawls), and leaves out what access rules exclude.
package jobs
