// Package follow keeps asking sources of the live web what is new – feeds, pages of last-updated sites, single pages – and captures what
// is. It asks as often as a policy finds worth while (package policy), or is told by hubs and pings (package push).
//
// A [Follower] takes a [Settings], which is a file, and a store. What it knows is there: which entries a source has had, which pages are
// to be visited, what each page was like. Stopped or killed at any moment, it goes on where it was: an entry is known once its visit is
// queued, and leaves the queue once its page is written and on the disk.
package follow
