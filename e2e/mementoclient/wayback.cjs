// Prints, as JSON, what wayback-machine and strip-wayback-toolbar make of a server: usage: node wayback.cjs SERVER COLLECTION URI-R DATETIME
// wayback-machine asks the Wayback Machine, by name; http.request alone learns that this is another server now.
const http = require("http");
const [server, coll, uri, timestamp] = process.argv.slice(2);
const { hostname, port } = new URL(server);
const request = http.request;
http.request = (options, ...rest) => request({ ...options, host: hostname, hostname, port, headers: { ...options.headers, Host: hostname + ":" + port } }, ...rest);

const wayback = require("wayback-machine");
const strip = require("strip-wayback-toolbar");

wayback.getClosest(uri, (err, closest) => {
  if (err) throw err;
  wayback.getTimeline(uri, async (err, timeline) => {
    if (err) throw err;
    const page = await (await fetch(`${server}/${coll}/${timestamp}/${uri}`, { headers: { Accept: "text/html" } })).text();
    console.log(JSON.stringify({ closest, timeline, page, stripped: strip(page) }));
  });
});
