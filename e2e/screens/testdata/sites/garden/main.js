import { LitElement, css, html } from "lit";
import { Gauge } from "garden/gauge.js";

class PlantBed extends LitElement {
  static properties = { name: {}, watered: { type: Number, state: true }, soil: { state: true } };
  static styles = css`:host { display: block; border: 1px solid #484; margin: .5em; padding: .5em; background: url("/img/ccddbb-40-40.png"); }`;
  constructor() {
    super();
    this.watered = 0;
    this.soil = "?";
  }
  render() {
    return html`<b part="name">${this.name}</b> on <slot name="soil" @slotchange=${this.settled}>clay</slot>: <slot></slot>,
      watered ${this.watered}× <button @click=${() => { this.watered++; }}>Water</button>
      <a href=${`/plants/${this.name}`}>more</a> ${this.soil}`;
  }
  settled(e) { this.soil = e.target.assignedNodes().map((n) => n.textContent).join(); }
}
customElements.define("plant-bed", PlantBed);

customElements.define("rain-gauge", Gauge);

class WideButton extends HTMLButtonElement {
  connectedCallback() { this.style.width = "20em"; }
}
customElements.define("wide-button", WideButton, { extends: "button" });

// sun-dial has mark-up and style of files of their own.
class SunDial extends HTMLElement {
  static observedAttributes = ["src"];
  async attributeChangedCallback(_, __, src) {
    const shadow = this.shadowRoot || this.attachShadow({ mode: "open", delegatesFocus: true });
    const [mark, style] = await Promise.all([src, src.replace("html", "css")].map((a) => fetch(a).then((r) => r.text())));
    const sheet = new CSSStyleSheet();
    await sheet.replace(style);
    shadow.adoptedStyleSheets = [sheet];
    shadow.innerHTML = mark;
    document.body.dataset.dial = "yes";
  }
}
customElements.define("sun-dial", SunDial);

document.getElementById("form").addEventListener("submit", (e) => {
  e.preventDefault();
  document.getElementById("sent").textContent = new URLSearchParams(new FormData(e.target)).toString();
});
const late = await import("garden/late.js");
late.plant(document.body);
