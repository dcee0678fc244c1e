package client

import (
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/gather/robots"
)

// robotsTime is how long a robots.txt may take. Nothing of its host is asked for meanwhile.
const robotsTime = 10 * time.Second

// Robots asks for a robots.txt, as a [robots.Cache] wants it. took is called with the answer before it is read, or with nil if there is
// none; an error of it ends this.
func (c *Client) Robots(ctx context.Context, address string, most int64, took func(*Exchange) error) (robots.File, error) {
	limited, cancel := context.WithTimeout(ctx, robotsTime)
	defer cancel()
	e, err := c.Get(limited, address, nil)
	if err == nil {
		defer e.Close()
	}
	if failed := took(e); failed != nil {
		return robots.File{}, failed
	}
	if errors.Is(err, ErrPrivate) {
		return robots.File{}, err
	} else if err != nil {
		return robots.File{Err: err, Late: IsTimeout(err)}, ctx.Err()
	}
	body, err := e.Body(most)
	if err != nil {
		body = nil // what can't be read asks for nothing
	}
	return robots.File{Status: e.Status, Location: e.Header.Get("Location"), Body: body}, nil
}
