package crowd

import (
	"net/http"
	"time"
)

// Usual are the limits of varve's servers. A browser needs some thirty connections; a server in front has one address for all.
var Usual = Limits{Conns: 1024, PerAddress: 768, Write: 30 * time.Second}

// bodyWait is how long a body may take to arrive. What varve reads of one is small.
const bodyWait = 20 * time.Second

// Guard returns the handler of a server behind a queue, with a limit to the time that bodies take.
func Guard(h http.Handler) http.Handler {
	q := Queue{Running: 256, Waiting: 1024, Wait: 10 * time.Second}
	return Bodies(q.Handler(h), bodyWait)
}
