package push

import (
	"net"
	"net/url"
	"time"
)

// Register returns the form that asks a cloud for notifications (rsscloud.org, "http-post"). base is the public URL of this
// process.
func (s *State) Register(base, feed string, now time.Time) (url.Values, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	s.asking(now)
	return url.Values{
		"domain": {hostname(u)}, "port": {port}, "path": {u.Path + cloudPath + s.Token}, "protocol": {"http-post"}, "notifyProcedure": {""},
		"url1": {feed},
	}, nil
}

func hostname(u *url.URL) string {
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.To4() == nil {
		return "[" + u.Hostname() + "]"
	}
	return u.Hostname()
}

// Registered records that a cloud accepted a registration.
func (s *State) Registered(now time.Time) { s.accepted(now, cloudLease) }

// Challenged reports whether to confirm a registration to a cloud.
func (s *State) Challenged(now time.Time) bool {
	return s.Cloud != "" && now.Sub(s.Asked) <= answerTime
}
