package searches

import (
	"testing"
	"time"

	"github.com/varve-archive/varve/archive/search"
	"github.com/varve-archive/varve/archive/shards"
)

// Pages that could not be read are tried again once, when it is time, wherever that is tried; those of a newer version's shards are not.
func TestWhenUnreadPagesAreDue(t *testing.T) {
	const wait = time.Hour
	room := &shards.Room{Config: shards.Config{Retry: wait}, Shards: 4}
	file := []shards.File{{Name: "a", Sum: "1"}}
	sh := &shardedSearch{Search: room.Search("web", ""), number: 4, unread: make([]unread, 4), published: []*shards.State{
		{Format: search.Format, Tried: "x", Tries: 1, Files: file},
		nil,
		{Format: search.Format, Files: file},
		{Format: search.Format + 1, Tried: "x", Tries: 1, Files: file},
	}}
	sh.plan()
	if sh.isDue() || sh.takeDue(0) {
		t.Error("at once it is due")
	}
	first := sh.unread[0].due
	sh.published[0] = &shards.State{Format: search.Format, Tried: "later", Tries: 1, Files: file} // nothing that matters has changed
	if sh.plan(); sh.unread[0].due != first {
		t.Error("it is put off by what is no attempt")
	}
	for i := range sh.unread {
		if u := &sh.unread[i]; !u.due.IsZero() {
			u.due = time.Now().Add(-time.Second)
		}
	}
	if !sh.isDue() || sh.takeDue(1) || sh.takeDue(2) || sh.takeDue(3) || !sh.takeDue(0) {
		t.Errorf("when it is time: %+v", sh.unread)
	}
	if sh.isDue() || sh.takeDue(0) {
		t.Error("it is due again at once")
	}
	sh.published[0] = &shards.State{Format: search.Format, Tried: "later", Tries: 2, Files: file} // somebody has tried
	before := time.Now()
	if sh.plan(); sh.unread[0].due.Before(before.Add(2 * wait)) {
		t.Errorf("after another attempt it is due at %v", sh.unread[0].due)
	}
	sh.published[0] = &shards.State{Format: search.Format, Files: file}
	if sh.plan(); sh.unread[0] != (unread{}) {
		t.Errorf("after all was read: %+v", sh.unread[0])
	}
}
