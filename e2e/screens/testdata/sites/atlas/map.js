const map = L.map("map", { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false }).setView([47.5, 9.5], 8);
const tiles = L.tileLayer("https://{s}.tiles.atlas.example/{z}/{x}/{y}{r}.png?key=atlas", {
  attribution: '<a href="/rights">Atlas</a>', crossOrigin: "anonymous",
}).addTo(map);
const where = document.getElementById("where");
map.on("moveend", () => { const c = map.getCenter(); where.textContent = `${c.lat.toFixed(2)} ${c.lng.toFixed(2)} ${map.getZoom()}`; });
// A canvas may only be read if its images were loaded with CORS.
tiles.on("load", () => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d");
  pen.drawImage(document.querySelector("img.leaflet-tile-loaded"), 0, 0);
  document.getElementById("colour").textContent = [...pen.getImageData(0, 0, 1, 1).data].length + " channels";
  document.body.dataset.tiles = map.getZoom() + ":" + where.textContent;
});
fetch("towns.geojson").then((r) => r.json()).then((towns) => {
  L.geoJSON(towns, { onEachFeature: (f, layer) => layer.bindPopup(`<b>${f.properties.name}</b> <img src="/img/884400-20-20.png" width=20 height=20>`, { autoPan: false }) }).addTo(map);
  document.body.dataset.towns = "yes";
});
