// Package push receives notifications of changes: as a subscriber of WebSub (W3C Recommendation of 23 January 2018), of rssCloud,
// and as a server for pings (weblogUpdates, by XML-RPC).
//
// Each source has a [State]: its subscription, and how long it lasts. A [Handler] receives the messages of hubs and clouds and
// passes them to a [Sink]. The package makes no requests: [State.Subscribe] and [State.Register] return the requests for others to
// send.
package push
