//go:build !tikv

package main

import (
	"context"
	"errors"

	"github.com/varve-archive/varve/cdx/index/store"
)

// openTiKV says how to get a varve that can do it: the client of TiKV would make every other one a third larger.
func openTiKV(context.Context, string, store.Mode) (store.Store, error) {
	return nil, errors.New("this varve was built without TiKV: install one with \"go install -tags tikv " +
		"github.com/varve-archive/varve/cmd/varve@latest\", or build it with \"make build TAGS=tikv\"; the container image has it")
}
