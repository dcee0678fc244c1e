package client

import (
	"context"
	"errors"
	"time"

	"github.com/varve-archive/varve/gather/robots"
)

// robotsTime is the time limit for a robots.txt, during which nothing else is requested from its host.
const robotsTime = 10 * time.Second

// Robots requests a robots.txt for a [robots.Cache]. It calls took with the answer before reading it, or with nil if there is none;
// an error of took is returned.
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
		body = nil // an unreadable file has no rules
	}
	return robots.File{Status: e.Status, Location: e.Header.Get("Location"), Body: body}, nil
}
