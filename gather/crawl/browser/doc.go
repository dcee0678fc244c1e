// Package browser opens pages in Chromium, for a crawl.
//
// [Start] returns a [Browser], which is one process with a profile of its own; [Browser.Visit] opens a page in a tab, waits until
// it is loaded, performs a chain of [Step]s, and returns the resulting document. All requests of the browser go through one proxy,
// and only if a [Guard] allows them.
//
// The package knows nothing of queues or archives: package crawl does.
package browser
