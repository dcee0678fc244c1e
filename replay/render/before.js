// What stands still while a page is pictured: the clock, chance, and what would wait for somebody. It runs in each document before its own
// scripts.
((time, seed) => {
  const Real = Date;
  let asked = 0;
  // A script that waits for the clock to move must not wait forever.
  const now = () => time + Math.floor(asked++ / 100);
  const Fixed = function Date(...args) {
    if (!new.target) return new Real(now()).toString();
    return Reflect.construct(Real, args.length ? args : [now()], new.target === Fixed ? Real : new.target);
  };
  Fixed.prototype = Real.prototype;
  Fixed.UTC = Real.UTC;
  Fixed.parse = Real.parse;
  Fixed.now = now;
  Object.defineProperty(Fixed, "length", {value: 7});
  Real.prototype.constructor = Fixed;
  globalThis.Date = Fixed;

  let state = seed >>> 0;
  const chance = () => { // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let n = Math.imul(state ^ (state >>> 15), state | 1);
    n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
    return ((n ^ (n >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = chance;
  if (globalThis.Crypto) {
    Crypto.prototype.getRandomValues = function (into) {
      const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
      for (let i = 0; i < bytes.length; i++) bytes[i] = chance() * 256;
      return into;
    };
  }
  globalThis.alert = globalThis.print = () => {};
  globalThis.confirm = () => false;
  globalThis.prompt = () => null;
})
