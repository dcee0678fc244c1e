//go:build tikv

package main

import (
	"context"

	"github.com/varve-archive/varve/cdx/index/store"
	"github.com/varve-archive/varve/cdx/index/tikv"
)

// openTiKV opens an index in a TiKV cluster.
func openTiKV(ctx context.Context, url string, mode store.Mode) (store.Store, error) {
	return tikv.Open(ctx, url, mode)
}
