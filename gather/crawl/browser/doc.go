// Package browser opens pages in Chromium, for a crawl.
//
// [Start] returns a [Browser], which is one process with a profile of its own; [Browser.Visit] opens a page in a tab, waits until it is
// there, performs a chain of [Step]s, and returns what the page has become. Whatever the browser asks for goes through one proxy, and a
// [Guard] is asked before: what it refuses is never asked for.
//
// It knows nothing of queues or archives: package crawl does.
package browser
