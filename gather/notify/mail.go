package notify

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	smtp "github.com/wneessen/go-mail"
	"golang.org/x/net/html"
)

const mailTime = time.Minute

// mail sends a message as plain text, because its content was archived and may be hostile.
func (n *Notifier) mail(ctx context.Context, r *Rule, rule ruleID, d *Delivery) error {
	m, err := n.message(r, rule, d)
	if err != nil {
		return finalError{err}
	}
	host, port, err := n.Mail.server()
	if err != nil {
		return finalError{err}
	}
	options := []smtp.Option{smtp.WithPort(port), smtp.WithTimeout(mailTime)}
	switch n.Mail.TLS {
	case "implicit":
		options = append(options, smtp.WithSSL())
	case "none":
		options = append(options, smtp.WithTLSPolicy(smtp.NoTLS))
	default:
		options = append(options, smtp.WithTLSPolicy(smtp.TLSMandatory))
	}
	if n.Mail.User != "" {
		options = append(options, smtp.WithSMTPAuth(smtp.SMTPAuthAutoDiscover), smtp.WithUsername(n.Mail.User),
			smtp.WithPassword(n.Mail.Password))
	}
	c, err := smtp.NewClient(host, options...)
	if err != nil {
		return finalError{err}
	}
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	err = c.DialAndSendWithContext(ctx, m)
	if refused, ok := errors.AsType[*smtp.SendError](err); ok && refused.ErrorCode() >= 500 { // RFC 5321 §4.2.1: not to be tried again
		return finalError{err}
	}
	return err
}

func (n *Notifier) message(r *Rule, rule ruleID, d *Delivery) (*smtp.Msg, error) {
	m := smtp.NewMsg(smtp.WithNoDefaultUserAgent())
	if err := errors.Join(m.From(n.Mail.From), m.To(r.Address)); err != nil {
		return nil, err
	}
	from, err := mail.ParseAddress(n.Mail.From)
	if err != nil {
		return nil, err
	}
	_, host, _ := strings.Cut(from.Address, "@")
	m.SetMessageIDWithValue(d.id(rule) + "@" + host)
	m.SetDateWithValue(n.now())
	m.SetBulk()
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nobody on holiday answers
	m.Subject(subject(r.subject(n.Archive), d))
	m.SetBodyString(smtp.TypeTextPlain, body(d))
	return m, nil
}

const maxSubject = 120

// subject returns the subject of a mail as one line.
func subject(about string, d *Delivery) string {
	title := d.Entries[0].Title
	if more := len(d.Entries) - 1; more > 0 {
		title = fmt.Sprintf("%s (+%d)", title, more)
	}
	line := []rune(strings.Join(strings.Fields(about+": "+title), " "))
	if len(line) > maxSubject {
		return string(line[:maxSubject-1]) + "…"
	}
	return string(line)
}

func body(d *Delivery) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.Title)
	for i := len(d.Entries) - 1; i >= 0; i-- {
		e := &d.Entries[i]
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n", e.Title, e.Updated.UTC().Format("2 January 2006, 15:04 UTC"), e.Link("alternate"))
		if diff := e.Link("related"); diff != "" {
			fmt.Fprintf(&b, "%s\n", diff)
		}
		b.WriteString(plain(e.Summary.Body))
	}
	fmt.Fprintf(&b, "\n-- \n%s\n", d.Feed)
	return b.String()
}

// plain turns the HTML of a summary into text that marks [-removed-] and {+added+} words.
func plain(summary string) string {
	var b strings.Builder
	for z := html.NewTokenizer(strings.NewReader(summary)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
		case html.StartTagToken:
			name, _ := z.TagName()
			b.WriteString(map[string]string{"del": "[-", "ins": "{+", "p": "\n"}[string(name)])
		case html.EndTagToken:
			name, _ := z.TagName()
			b.WriteString(map[string]string{"del": "-]", "ins": "+}", "p": "\n"}[string(name)])
		}
	}
}
