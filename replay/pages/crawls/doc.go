// Package crawls has the pages that show and control crawls, and the same as JSON. It knows crawls by their files alone (package runs):
// nothing that serves reaches the live web.
//
// Addresses that a crawl has requested are foreign text. They are escaped and link only to their replay, and those that access rules
// exclude are left out. Package guard decides who may see and control crawls.
package crawls
