// Package crawls has the pages on which crawls are seen and steered, and the same as JSON. It knows crawls by their files alone
// (package runs): nothing that serves reaches the live web.
//
// Addresses that a crawl has asked for are others' words. They are escaped, lead to their replay and nowhere else, and what access
// rules exclude is left out. Package guard says who may look and steer.
package crawls
