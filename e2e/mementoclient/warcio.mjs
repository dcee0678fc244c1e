// Prints, as JSON, what warcio reads from a WARC file: usage: node warcio.mjs FILE
// payload is the SHA-1, in base 32, of the body as warcio gives it, without transfer and content coding.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import encode from "base32-encode";
import { WARCParser } from "warcio";

const records = [];
for await (const record of new WARCParser(Readable.toWeb(createReadStream(process.argv[2])))) {
  const body = await record.readFully(true);
  records.push({
    type: record.warcType,
    uri: record.warcTargetURI,
    date: record.warcDate,
    status: record.httpHeaders?.statusCode ?? 0,
    digest: record.warcHeader("WARC-Payload-Digest") ?? "",
    payload: "sha1:" + encode(createHash("sha1").update(body).digest(), "RFC4648"),
    concurrentTo: record.warcHeader("WARC-Concurrent-To") ?? "",
    id: record.warcHeader("WARC-Record-ID"),
    body: new TextDecoder().decode(body),
  });
}
console.log(JSON.stringify(records));
