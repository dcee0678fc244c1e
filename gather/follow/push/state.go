package push

import (
	"cmp"
	"crypto/rand"
	"time"
)

const (
	// lease is the requested duration of a subscription.
	lease = 7 * 24 * time.Hour
	// cloudLease is how long a registration with a cloud is used. It lasts 25 hours (rsscloud.org), which leaves an hour to renew
	// it.
	cloudLease = 24 * time.Hour
	// answerTime is the time limit for a hub to verify a subscription.
	answerTime = 10 * time.Minute
	// firstRetry is the pause after a hub's first failure; it doubles up to a day.
	firstRetry = 15 * time.Minute
	maxBackOff = 24 * time.Hour
	// maxMissed is the number of polls with unannounced news after which a hub counts as silent.
	maxMissed = 2
)

// A State is the subscription of a source. It can be stored as JSON.
type State struct {
	Hub    string    `json:"hub,omitempty"`   // of WebSub; "" for none
	Topic  string    `json:"topic,omitempty"` // the address of the source, as the hub knows it
	Cloud  string    `json:"cloud,omitempty"` // of rssCloud; "" for none
	Token  string    `json:"token,omitempty"` // which nobody else knows, in the address where the process is reached
	Secret string    `json:"secret,omitempty"`
	Asked  time.Time `json:"asked,omitzero"` // when a subscription was asked for last
	Until  time.Time `json:"until,omitzero"` // when it ends
	Renew  time.Time `json:"renew,omitzero"` // when the next is asked for
	Failed int       `json:"failed,omitempty"`
	Missed int       `json:"missed,omitempty"` // news that polls have found, in a row
	Heard  time.Time `json:"heard,omitzero"`   // when it told of something last
	Denied string    `json:"denied,omitempty"` // why there is no subscription
}

// IsZero reports whether the source has no hub or cloud.
func (s State) IsZero() bool { return s == State{} }

// Trusted reports whether notifications are expected.
func (s *State) Trusted(now time.Time) bool { return s.Until.After(now) && s.Missed < maxMissed }

// String describes the subscription for people.
func (s *State) String() string {
	who := cmp.Or(s.Hub, s.Cloud)
	switch {
	case who == "":
		return ""
	case s.Missed >= maxMissed:
		return "silent: " + who
	case s.Denied != "":
		return "no subscription with " + who + ": " + s.Denied
	case s.Until.IsZero():
		return "asked for a subscription: " + who
	}
	return "pushed by " + who + " until " + s.Until.UTC().Format(time.RFC3339)
}

// Found records the hub or cloud that a source names. A new one replaces the state.
func (s *State) Found(hub, topic, cloud string) {
	if hub != "" {
		cloud = "" // what is signed is better than what is not
	}
	if hub == s.Hub && cloud == s.Cloud && (hub == "" || topic == s.Topic) {
		return
	}
	*s = State{Hub: hub, Topic: topic, Cloud: cloud}
	if hub != "" || cloud != "" {
		s.Token = rand.Text()
	}
}

// Due reports whether it is time to request a subscription.
func (s *State) Due(now time.Time) bool { return (s.Hub != "" || s.Cloud != "") && !s.Renew.After(now) }

// asking records a request for a subscription. If the previous one was never verified, the next one is delayed.
func (s *State) asking(now time.Time) {
	if s.Until.Before(s.Asked) && s.Denied == "" {
		s.Failed++
	}
	s.Asked, s.Denied = now, ""
	s.Renew = now.Add(answerTime + s.backOff())
}

func (s *State) backOff() time.Duration {
	if s.Failed == 0 {
		return 0
	}
	return min(firstRetry<<min(s.Failed-1, 10), maxBackOff)
}

// Fail records that a hub refused a request, which is repeated later.
func (s *State) Fail(now time.Time, why string) {
	s.Failed++
	s.Denied = why
	s.Renew = now.Add(s.backOff())
}

// accepted records a subscription that lasts for some time.
func (s *State) accepted(now time.Time, lasts time.Duration) {
	s.Failed, s.Denied, s.Missed = 0, "", 0
	s.Until = now.Add(lasts)
	s.Renew = now.Add(lasts - min(lasts/5, 12*time.Hour))
}

// Notified records a notification.
func (s *State) Notified(now time.Time) { s.Heard, s.Missed = now, 0 }

// Late records that a poll found news which nobody announced since the poll before.
func (s *State) Late(now, before time.Time) {
	if s.Until.After(now) && !s.Heard.After(before) {
		s.Missed++
	}
}
