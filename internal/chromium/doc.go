// Package chromium runs a browser for the parts of varve that see pages as readers do.
//
// [Start] returns a [Process] with its own profile, all of whose requests go through one proxy. It is restarted if it ends. Callers use its
// tabs.
package chromium
