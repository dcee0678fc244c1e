import { useEffect, useState } from "react";
import { useParams } from "react-router";
import { basket } from "./basket.js";

export default function Tree() {
  const { id } = useParams();
  const [tree, setTree] = useState(null);
  useEffect(() => {
    fetch(new Request(new URL(`/api/trees/${id}`, location.href), { headers: { Accept: "application/json" } }))
      .then((r) => r.json())
      .then((t) => { setTree(t); document.title = t.name; });
  }, [id]);
  if (!tree) return <p>Loading</p>;
  return <article id="tree">
    <h1>{tree.name}</h1>
    <img src={tree.picture} srcSet={`${tree.picture} 1x, ${tree.large} 2x`} width="120" height="80" alt={tree.name} />
    <p dangerouslySetInnerHTML={{ __html: tree.text }} />
    <button id="take" onClick={() => basket.add(tree.name)}>Take one</button>
  </article>;
}
