package crowd

import (
	"net/http"
	"time"
)

// Usual are the limits of varve's servers. A browser needs some thirty connections; a reverse proxy has one address for
// all clients.
var Usual = Limits{Conns: 1024, PerAddress: 768, Write: 30 * time.Second}

// bodyWait is how long a body may take to arrive. varve only reads small ones.
const bodyWait = 20 * time.Second

// Guard puts a handler behind a queue and limits the time that bodies take.
func Guard(h http.Handler) http.Handler {
	q := Queue{Running: 256, Waiting: 1024, Wait: 10 * time.Second}
	return Bodies(q.Handler(h), bodyWait)
}
