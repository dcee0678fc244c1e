// Computes the host at which an archived origin is replayed if each has its own (docs/isolation.md): the host's first part is a hash, as
// in replay/respond/apart.go. Workers have this script, and pages on such servers.
(() => {
  "use strict";
  if (self._varveLabels) return;

  // sha256 is FIPS 180-4. The browser's own is asynchronous, which is too late when a message has to be sent or shown.
  const fraction = (x) => ((x - Math.floor(x)) * 0x100000000) | 0;
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const [first, rounds] = [primes.slice(0, 8).map((p) => fraction(Math.sqrt(p))), primes.map((p) => fraction(Math.cbrt(p)))];
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const sha256 = (bytes) => {
    const blocks = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6)), state = [...first], w = [];
    bytes.forEach((b, i) => blocks.setUint8(i, b));
    blocks.setUint8(bytes.length, 0x80);
    blocks.setUint32(blocks.byteLength - 4, bytes.length * 8);
    for (let at = 0; at < blocks.byteLength; at += 64) {
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const x = w[i - 15], y = w[i - 2];
        w[i] = i < 16 ? blocks.getInt32(at + 4 * i) : (w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
        const t = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0;
        const u = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [a, b, c, d, e, f, g, h] = [(t + u) | 0, a, b, c, (d + t) | 0, e, f, g];
      }
      [a, b, c, d, e, f, g, h].forEach((n, i) => { state[i] = (state[i] + n) | 0; });
    }
    return state;
  };

  // label is the beginning of a hash in base32: 26 letters and digits of five bits each.
  const label = (text) => {
    const bits = sha256(new TextEncoder().encode(text)).map((n) => (n >>> 0).toString(2).padStart(32, "0")).join("");
    return bits.slice(0, 130).replace(/.{5}/g, (five) => "abcdefghijklmnopqrstuvwxyz234567"[parseInt(five, 2)]);
  };
  // home returns the address at which an origin is replayed, for the template of all such addresses:
  // https://*.replay.example/COLLECTION/.
  const known = new Map();
  const home = (template, origin) => {
    const key = template + origin;
    if (!known.has(key)) known.set(key, template.replace("*", label(/([^/]*)\/$/.exec(template)[1] + "\n" + origin)));
    return known.get(key);
  };
  Object.defineProperty(self, "_varveLabels", { value: { home } });
})();
