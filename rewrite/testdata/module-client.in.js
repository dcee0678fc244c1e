import a, {b} from "./a.js"; import * as c from '/c.js'; import 'lodash'; import{d}from"https://cdn.example.net/d.js";
export * from "../e.js"; export {x} from './f.js'; const u = import.meta.url;
import("./lazy.js").then(m => m); import(`./${a}.js`); // import "./no.js"
const re = /import "x"/g, t = `import "./${this}"`, self = 1; window.location = "/y"; document.title;
