// What stands still while a page is pictured: the clock, chance, and what would wait for somebody. It runs in each document before its own
// scripts.
((time, seed) => {
  // FRAME is the time between two frames that a script draws, LAST how many it draws, one out of the other. MOST is the time for what is
  // left of them at the end.
  const Real = Date, FRAME = 1000 / 60, LAST = 120, MOST = 2000;
  let asked = 0, frame = 0;
  // A script that waits for the clock to move must not wait forever.
  const passed = () => Math.floor(asked++ / 100) + frame * FRAME;
  const now = () => time + Math.floor(passed());
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

  // Frames have the time of their number, so that the last one always looks the same.
  const { requestAnimationFrame } = globalThis, clock = performance.now.bind(performance);
  let wanted = new Map(), shown = wanted, count = 0, over = false;
  Performance.prototype.now = passed;
  globalThis.requestAnimationFrame = (draw) => {
    count++;
    if (over || frame === LAST) return count;
    wanted.set(count, [draw, frame + 1]);
    if (wanted.size === 1) requestAnimationFrame(show);
    return count;
  };
  globalThis.cancelAnimationFrame = (id) => { wanted.delete(id); shown.delete(id); };
  const show = () => {
    shown = wanted;
    wanted = new Map();
    for (const [draw, number] of shown.values()) {
      frame = number;
      try { draw(frame * FRAME); } catch (e) { reportError(e); }
    }
    frame = 0;
  };
  addEventListener("varve-still", () => {
    for (const end = clock() + MOST; wanted.size && clock() < end;) show();
    over = true;
  });

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
