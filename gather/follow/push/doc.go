// Package push is what those who follow sources say to the ones who tell of changes: as a subscriber of WebSub (W3C Recommendation of
// 23 January 2018), of rssCloud, and as a server that takes pings (weblogUpdates, by XML-RPC).
//
// A [State] is kept for each source: with whom it is subscribed, and until when. A [Handler] is where hubs and clouds reach the process;
// what they say goes to a [Sink]. Nothing here asks the web: [State.Subscribe] and [State.Register] make the requests for others to send.
package push
