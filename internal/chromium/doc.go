// Package chromium runs a browser for the parts of varve that look at pages as readers do.
//
// [Start] returns a [Process], which has a profile of its own and asks for nothing past one proxy. It is started again if it ends. What is
// done in its tabs is the caller's.
package chromium
