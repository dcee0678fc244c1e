package locale

// Proxy has the texts of proxy mode beyond those that [Language] has for all pages.
type Proxy struct {
	Title          string
	What           string
	SetProxy       string // {0} host and port
	YouSee         string // {0} datetime
	YouSeeNewest   string
	Moment         string // label of a field
	FromCollection string // label of a choice
	Choose         string // a button
	EmptyIsNewest  string
	KnownByAddress string
	KnownByName    string // {0} the collection
	SecurePages    string
	SecureHow      string
	TrustWarning   string
	MoveTitle      string
	YouWillSee     string // {0} datetime
	MoveWhy        string
	Go             string // a button
}
