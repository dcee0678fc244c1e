// Package distant has what engines of the index on other machines have in common. What a reader waits for is the network, so a
// [Cursor] fetches ranges by the page: here is how long pages are, when the next one is asked for before it is wanted, and how
// many short walks begin with one question. How a page is fetched is the engine's ([Source]). Engines go away for a while and
// come back: [Patiently] waits for that. They tell nobody what has changed: [Watch] looks.
package distant
