export function plant(body) {
  const bed = document.createElement("plant-bed");
  bed.setAttribute("name", "Late");
  bed.innerHTML = `<i slot="soil">sand</i> from ${new URL(import.meta.url).pathname}`;
  body.append(bed);
}
