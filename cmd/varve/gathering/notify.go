package gathering

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/varve-archive/varve/archive/index/badger"
	"github.com/varve-archive/varve/archive/index/kv"
	"github.com/varve-archive/varve/cmd/varve/console"
	"github.com/varve-archive/varve/cmd/varve/workspace"
	"github.com/varve-archive/varve/gather/notify"
)

// Notifier opens the queue of notifications. The caller closes its store.
func Notifier(w *workspace.Workspace, s *notify.Settings) (*notify.Notifier, error) {
	store, err := badger.Open(filepath.Join(w.Data, "notify", s.Name), w.Log())
	if errors.Is(err, kv.ErrInUse) {
		return nil, fmt.Errorf("another process has the notifications of %s: stop it, or give another file a name of its own", s.Name)
	} else if err != nil {
		return nil, err
	}
	return &notify.Notifier{Settings: s, Store: store, UserAgent: w.Agent(), Log: w.Log()}, nil
}

// AllDelivered returns err, or console.ErrPart if some deliveries failed, which the log has named.
func AllDelivered(c notify.Counts, err error) error {
	if err == nil && c.Failed+c.GivenUp > 0 {
		err = console.ErrPart
	}
	return err
}
