// What a reader keeps outlives the page, as in a shop.
const listeners = new Set();

export const basket = {
  get: () => localStorage.getItem("basket") || "",
  add(name) {
    localStorage.setItem("basket", [this.get(), name].filter(Boolean).join(", "));
    listeners.forEach((l) => l());
  },
  subscribe(l) {
    listeners.add(l);
    return () => listeners.delete(l);
  },
};
