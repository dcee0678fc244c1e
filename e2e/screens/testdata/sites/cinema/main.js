import Hls from "hls.js";

const film = document.getElementById("film"), trailer = document.getElementById("trailer");
const say = (id, words) => { document.getElementById(id).textContent = words; };
const parts = new Set();

// still stops a video at a time, so that pictures of it can be compared.
function still(video, at) {
  video.pause();
  return new Promise((done) => {
    video.addEventListener("seeked", done, { once: true });
    video.currentTime = at;
  });
}

document.getElementById("play").addEventListener("click", async () => {
  const player = new Hls({ capLevelToPlayerSize: true, abrEwmaDefaultEstimate: 5e6, testBandwidth: false });
  player.on(Hls.Events.FRAG_BUFFERED, (_, { frag }) => parts.add(new URL(frag.url).pathname));
  player.on(Hls.Events.ERROR, (_, e) => e.fatal && say("state", `failed: ${e.details}`));
  player.on(Hls.Events.LEVEL_SWITCHED, (_, { level }) => say("levels", `plays ${player.levels[level].height} lines`));
  const once = (event) => new Promise((done) => player.once(event, done));
  const listed = once(Hls.Events.MANIFEST_PARSED), ended = once(Hls.Events.BUFFER_EOS);
  player.loadSource("https://cdn.cinema.example/film/master.m3u8");
  player.attachMedia(film);
  await listed;
  await film.play();
  await ended;
  await still(film, 1.5);
  await still(trailer, 0.5);
  say("asked", [...parts].sort().join(" "));
  say("state", [film, trailer].map((v) => `${v.videoWidth}×${v.videoHeight} of ${v.duration.toFixed(1)} s at ${v.currentTime}`).join(", "));
});
