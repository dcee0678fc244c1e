package loadlimit

import (
	"net/http"
	"time"

	"github.com/varve-archive/varve/internal/descriptors"
)

// Usual returns the limits of varve's servers, which take at most half of the descriptors of the process. A browser needs
// some thirty connections; a reverse proxy has one address for all clients.
func Usual() Limits {
	conns := descriptors.Share(2, 1024)
	return Limits{Conns: conns, PerAddress: conns * 3 / 4, Write: 30 * time.Second}
}

// bodyWait is how long a body may take to arrive. varve only reads small ones.
const bodyWait = 20 * time.Second

// Guard puts a handler behind a queue and limits the time that bodies take.
func Guard(h http.Handler) http.Handler {
	q := Queue{Running: 256, Waiting: 1024, Wait: 10 * time.Second}
	return Bodies(q.Handler(h), bodyWait)
}
