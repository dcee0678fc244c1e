"""What varve's own comparison of texts says of each pair: the answer that the picture is combined with.

    python text.py --shots DIR --server http://127.0.0.1:PORT/web --varve BINARY --out text.json

Real pairs: are their captures in different validity ranges at the levels text and content? Pages that were changed on purpose are written as
a WARC file with two captures of each page, before and after, and indexed like any other.
"""

import argparse
import io
import json
import pathlib
import re
import subprocess
import tempfile
import urllib.parse
import urllib.request

import data


def ranges(server, uri, level):
    query = urllib.parse.urlencode(dict(url=uri, level=level))
    with urllib.request.urlopen(f"{server}/changes?{query}") as answer:
        return json.load(answer)["ranges"]


def version(ranges_, datetime):
    """The number of the range in which a datetime lies."""
    return max([n for n, r in enumerate(ranges_) if r["first"] <= datetime], default=0)


def real(server, pairs, facts):
    cache, answers = {}, {}
    for p in pairs:
        uri = facts[p.a]["uri"]
        for level in ("text", "content"):
            if (uri, level) not in cache:
                cache[uri, level] = ranges(server, uri, level)
            a, b = (version(cache[uri, level], facts[n]["datetime"]) for n in (p.a, p.b))
            answers.setdefault(f"{p.a} {p.b}", {})[level] = a != b
    return answers


def record(uri, date, html):
    body = re.sub(r"<script.*?</script>", "", html, flags=re.S).encode("utf-8", "replace")
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nWARC-Date: {date}\r\nWARC-Record-ID: <urn:uuid:"
            f"{uri[7:15]}-0000-4000-8000-{date[:4]}00000000>\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def host(n):
    return f"http://pair{n:06d}.example/page"


def write_warc(path, pairs, facts):
    out = io.BytesIO()
    for n, p in enumerate(pairs):
        out.write(record(host(n), "2020-01-01T00:00:00Z", facts[p.a]["html"]))
        out.write(record(host(n), "2021-01-01T00:00:00Z", facts[p.b]["html"]))
    path.write_bytes(out.getvalue())


def synthetic(varve, pairs, facts):
    """Indexes the changed pages in a folder that goes afterwards, and asks a server of its own about them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_warc(folder / "synthetic.warc", pairs, facts)
        common = [varve, "--data", str(folder / "data")]
        subprocess.run([common[0], "index", *common[1:], str(folder / "synthetic.warc")], check=True, capture_output=True)
        server = subprocess.Popen([common[0], "serve", *common[1:], "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.DEVNULL)
        try:
            address = server.stdout.readline().split()[-1] + "web"
            return {f"{p.a} {p.b}": {level: len(ranges(address, host(n), level)) > 1 for level in ("text", "content")}
                    for n, p in enumerate(pairs)}
        finally:
            server.terminate()
            server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--varve", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    args = parser.parse_args()
    facts = data.shots(args.shots)
    pairs = list(data.pairs(facts, args.shots))
    answers = real(args.server.rstrip("/"), [p for p in pairs if p.kind == "real"], facts)
    answers |= synthetic(args.varve, [p for p in pairs if p.kind == "synthetic"], facts)
    args.out.write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
