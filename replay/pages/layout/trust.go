package layout

// A trust says how to trust the certificate on one system. Commands are the same in every language.
type trust struct{ system, how string }

func trusts() []trust {
	return []trust{
		{"Firefox", "about:preferences#privacy → Certificates → View Certificates → Authorities → Import"},
		{"Chrome, Edge (Linux)", "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n varve -i varve-proxy-ca.pem"},
		{"Windows", "certutil -user -addstore Root varve-proxy-ca.crt"},
		{"macOS", "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db varve-proxy-ca.pem"},
		{"Linux (Debian, Ubuntu)", "sudo cp varve-proxy-ca.pem /usr/local/share/ca-certificates/varve-proxy-ca.crt && sudo " +
			"update-ca-certificates"},
		{"Android", "Settings → Security → More → Encryption & credentials → Install a certificate → CA certificate"},
		{"curl", "curl --cacert varve-proxy-ca.pem --proxy …"},
	}
}
