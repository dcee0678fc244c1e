const sheet = new CSSStyleSheet();
sheet.replaceSync(`:host { display: inline-block; width: 100px; height: 30px; background: url(/img/4488cc-20-20.png); }`);

// Gauge is an element that takes part in forms.
export class Gauge extends HTMLElement {
  static formAssociated = true;
  #inside = this.attachInternals();
  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets.push(sheet);
    this.shadowRoot.append(document.createElement("slot"), "0 mm");
    this.addEventListener("click", () => {
      this.#inside.setFormValue("7 mm");
      this.shadowRoot.lastChild.data = "7 mm";
    });
  }
}
