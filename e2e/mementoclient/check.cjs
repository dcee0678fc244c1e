// Prints, as JSON, what memento-client makes of a server: usage: node check.cjs COLLECTION-URL URI-R DATETIME
const memento = require("memento-client");
const [home, uri, time] = process.argv.slice(2);

memento(uri, { host: home + "timemap/link/" }, (err, all) => {
  if (err) throw err;
  memento(uri, { host: home, time }, (err, near) => {
    if (err) throw err;
    console.log(JSON.stringify({ all, near }));
  });
});
