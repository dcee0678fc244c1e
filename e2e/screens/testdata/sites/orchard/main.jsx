import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Link, NavLink, Route, Routes, useLocation, useNavigate } from "react-router";
import "./main.css";
import { basket } from "./basket.js";

const Tree = lazy(() => import("./tree.jsx"));

function Trees() {
  const [trees, setTrees] = useState([]);
  useEffect(() => {
    const gone = new AbortController();
    fetch(`/api/trees?_=${Date.now()}`, { signal: gone.signal })
      .then((r) => r.json())
      .then(setTrees, (e) => e.name === "AbortError" || console.error(e));
    return () => gone.abort();
  }, []);
  return <ul id="trees">{trees.map((t) => <li key={t.id}><img src={t.picture} alt="" /> <Link to={`/tree/${t.id}`}>{t.name}</Link></li>)}</ul>;
}

function About() {
  const place = useLocation();
  const go = useNavigate();
  return <section id="about">
    <p>You are at {place.pathname}{place.search}{place.hash} of {window.location.host}, {document.location.origin}.</p>
    <p>The page is {document.URL}, its base {document.baseURI}, its domain {document.domain}, its top {String(window.top === window)}.</p>
    <p>Its address ends with {new URL("x/../y", location).href} and {location.toString().length} letters.</p>
    <button id="back" onClick={() => go(-1)}>Back</button>
  </section>;
}

function Gone() {
  const [said, say] = useState("…");
  useEffect(() => { fetch("/api/trees/99").then((r) => say(`${r.status} of ${new URL(r.url).pathname}`)); }, []);
  return <p id="gone">{said}</p>;
}

function Basket() {
  const held = useSyncExternalStore(basket.subscribe, basket.get);
  return <p id="basket">Basket: {held || "empty"}</p>;
}

createRoot(document.getElementById("root")).render(
  <BrowserRouter>
    <nav><NavLink to="/" end>Trees</NavLink><NavLink to="/about?from=nav#here">About</NavLink><NavLink to="/gone">Gone</NavLink></nav>
    <main>
      <Suspense fallback={<p>Loading</p>}>
        <Routes>
          <Route path="/" element={<Trees />} />
          <Route path="/tree/:id" element={<Tree />} />
          <Route path="/about" element={<About />} />
          <Route path="*" element={<Gone />} />
        </Routes>
      </Suspense>
      <Basket />
    </main>
  </BrowserRouter>,
);
