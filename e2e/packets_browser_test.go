package e2e

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// sends are ways in which a page may send packets past the browser's proxy and the policy. %s is a host with its port.
var sends = map[string]string{
	"a connection":    `new RTCPeerConnection({iceServers: [{urls: "stun:%s"}]})`,
	"by its old name": `new (self.webkitRTCPeerConnection || RTCPeerConnection)({iceServers: [{urls: "stun:%s"}]})`,
	"in a frame": `(() => { const f = document.createElement("iframe"); document.body.append(f);
		return new f.contentWindow.RTCPeerConnection({iceServers: [{urls: "stun:%s"}]}) })()`,
	"in a frame, with other arrays": `(() => { const f = document.createElement("iframe"), { prototype } = Array, usual = Symbol.iterator;
		document.body.append(f); const own = prototype[usual]; prototype[usual] = function* () {}; const w = f.contentWindow;
		prototype[usual] = own; return new w.RTCPeerConnection({iceServers: [{urls: "stun:%s"}]}) })()`,
	"in a frame with a page": `(() => { const f = document.createElement("iframe"); f.srcdoc = "<p>x"; document.body.append(f);
		return new f.contentWindow.RTCPeerConnection({iceServers: [{urls: "stun:%s"}]}) })()`,
	"in an unseen frame": `(document.body.insertAdjacentHTML("beforeend", "<iframe></iframe>"),
		new frames[0].RTCPeerConnection({iceServers: [{urls: "stun:%s"}]}))`,
	"in a window of an unseen frame": `(document.body.insertAdjacentHTML("beforeend", "<iframe></iframe>"),
		new (frames[0].open("about:blank").RTCPeerConnection)({iceServers: [{urls: "stun:%s"}]}))`,
}

// goes makes a connection look for ways to its peer, which sends packets.
const goes = `const c = %s; c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o)).catch(() => {})`

// listen counts the packets that arrive at an address.
func listen(t *testing.T) (address string, count *atomic.Int32) {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	count = new(atomic.Int32)
	go func() {
		for buf := make([]byte, 2048); ; {
			if _, _, err := c.ReadFrom(buf); err != nil {
				return
			}
			count.Add(1)
		}
	}()
	return c.LocalAddr().String(), count
}

// accepting counts the connections to a port of this machine.
func accepting(t *testing.T) (port int, count *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	count = new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			count.Add(1)
			c.Close()
		}
	}()
	return l.Addr().(*net.TCPAddr).Port, count
}

// No policy limits WebRTC, and no proxy sees it. Archived pages don't have it.
func TestPagesSendNoPackets(t *testing.T) {
	t.Parallel()
	address, count := listen(t)
	a := &archive{}
	for name, statement := range sends {
		a.page(host+"/"+slug(name), day, "<!doctype html><title>sends</title><body><p>x<script>try { "+
			fmt.Sprintf(goes, fmt.Sprintf(statement, address))+" } catch (e) { console.error(e) }</script>")
	}
	g := browseAsReaders(t, a.serve(t))
	tabs := g.tabs(t, len(sends), false) // what one page still opens can't get in the way of the next
	for i, name := range slices.Sorted(maps.Keys(sends)) {
		tabs[i].open(t, at14("/"+slug(name)))
	}
	g.quiet(2*time.Second, patience)
	if n := count.Load(); n != 0 {
		t.Errorf("%d packets left", n)
	}
	g.open(t, "/-/static/page.css") // not archived, so that the same statement is heard
	evaluate[bool](t, g, "(() => { "+fmt.Sprintf(goes, fmt.Sprintf(sends["a connection"], address))+"; self.kept = c; return true })()")
	for end := time.Now().Add(patience); count.Load() == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the trap hears nothing")
		}
	}
}
