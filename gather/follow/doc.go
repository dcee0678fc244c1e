// Package follow polls sources of the live web – feeds, pages of last-updated sites, single pages – and captures what is new. The
// polling interval follows a policy (package policy), and hubs and pings can trigger a poll (package push).
//
// A [Follower] takes [Settings], which are a file, and a store. The store has its state: the known entries of each source, the
// queued visits, and what each page was like. A follower that is killed at any moment continues where it stopped: an entry becomes
// known when its visit is queued, and a visit leaves the queue when its page is written to disk.
package follow
