// Package policy decides when a source on the web is polled next, from when it has published.
//
// A [Rate] learns how often a source publishes, at which hours, on which days, and how soon after the last event. The time of the
// next request follows from a fixed interval ([Fixed]), from a step that is halved when something new came ([NextInterval]), or from the
// cost of waiting ([Rate.Next]), so that all sources together stay within a number of requests a day ([Allowance]). The package
// reads no clock and makes no requests.
package policy
