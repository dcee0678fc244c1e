package reference

import (
	"errors"
	neturl "net/url"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"github.com/varve-archive/varve/internal/percent"
)

// Web returns a reference in a document as the http or https address that browsers request, without its fragment, and without the name and
// password of a user, which are no part of it (RFC 9110 §4.2.4). base is the address of the document; it may be "" for an absolute
// reference.
func Web(base, ref string) (string, error) {
	parse := func(ref string) (*url.Url, error) { return url.ParseRef(base, ref) }
	if base == "" {
		parse = url.Parse
	}
	u, err := parse(percent.UTF8(strings.TrimSpace(ref)))
	if err != nil {
		return "", err
	}
	if s := u.Scheme(); s != "http" && s != "https" || u.Hostname() == "" {
		return "", errors.New("only http and https can be asked")
	}
	u.SetUsername("")
	u.SetPassword("")
	address := u.Href(true)
	if _, err := neturl.Parse(address); err == nil {
		return address, nil
	}
	if u, err = url.NewParser(url.WithPercentEncodeSinglePercentSign()).Parse(address); err != nil { // Go sends no stray %
		return "", err
	}
	address = u.Href(true)
	if _, err = neturl.Parse(address); err != nil {
		return "", err
	}
	return address, nil
}

// Host returns the host of an address, with its port unless that is the scheme's default.
func Host(address string) string {
	u, err := neturl.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
