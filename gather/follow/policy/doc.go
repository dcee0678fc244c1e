// Package policy decides when a source of the web is asked next, from what is known of when it published.
//
// A [Rate] learns how often a source publishes, at which hours, on which days, and how soon after it has. A [Pace] turns that into the
// time of the next request: by a fixed interval, by halving a step when something new came, or by what waiting costs, so that all
// sources together stay within a number of requests a day. Nothing here asks the clock or the web.
package policy
