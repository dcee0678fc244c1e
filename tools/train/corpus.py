"""The versioned sites of the corpus: which captures are rendered, and which pairs of them differ in their content.

A *snapshot* is one capture of a page. A *pair* is two snapshots of one page with a label: True where the page's own text differs, False where
it does not, whatever header, footer, side bars and ads do. Pages of one publisher on the same template are one *site*.
"""

import collections
import dataclasses
import gzip
import itertools
import json
import pathlib
import random
import urllib.parse

PER_PAGE = 7  # most snapshots of a page; together at least 11 for nearly every site, as the source's sampling has it
PAGES = {"i18n": 20, "lucene": 12, "backbone": 1}  # most pages of the sites that have many
PER_PAGE_OF = {"i18n": 5, "lucene": 8, "backbone": 14}

# Hosts that share a publisher's template.
SITES = {
    "about.christianmingle.com": "spark", "about.jdate.com": "spark", "www.disonsdemain.fr": "meetic", "www.lovescout24.de": "meetic",
    "uk.match.com": "meetic", "www.meetic.fr": "meetic", "www.eharmony.co.uk": "parship", "www.parship.fr": "parship",
    "www.grindr.com": "grindr", "weareher.com": "her", "www.lovoo.com": "lovoo", "www.mektoube.fr": "mektoube", "www.romeo.com": "romeo",
    "docviewer.zoosk.com": "zoosk", "www.adopteunmec.com": "adopteunmec", "hily.com": "hily", "policies.tinder.com": "tinder",
    "ww.coffeemeetsbagel.com": "coffeemeetsbagel", "badoo.com": "badoo", "bumble.com": "bumble", "help.thisislex.app": "lex",
    "fruitz.io": "fruitz", "www.finya.de": "finya", "support.happn.fr": "happn", "i18n.example.org": "i18n",
    "lucene.example.org": "lucene", "backbonejs.example.org": "backbone",
}
# Sites left out of all training and of the choice of every threshold; chosen before the first model was trained.
LEFT_OUT = ("adopteunmec", "finya", "grindr", "lovoo", "lucene", "parship", "tinder")


@dataclasses.dataclass(frozen=True)
class Capture:
    """One line of a truth file, reduced to what is needed here."""
    site: str
    uri: str
    datetime: str
    digest: str  # of what the truth calls the page's own text, "" where it is not known
    changed: object  # True, False or None: against the capture before, at level content
    same_bytes: bool  # as the capture before


def site_of(uri):
    return SITES[urllib.parse.urlsplit(uri).hostname]


def _lines(path):
    with gzip.open(path, "rt") as file:
        yield from map(json.loads, file)


def _wild(folder):
    corrections = {}
    for line in (folder / "dating.corrections.jsonl").read_text().splitlines():
        entry = json.loads(line)
        corrections[entry["url"], entry["ts"]] = entry
    for line in _lines(folder / "dating.wild.jsonl.gz"):
        correction = corrections.get((line["uri"], line["datetime"]), {})
        line.update(correction.get("what") or {})
        either = correction.keys() & {"wallok", "return"}
        if line["shown"]:
            yield Capture(site_of(line["uri"]), line["uri"], line["datetime"], line["text_sha"], None if either else line["change"],
                          line["digest_changed"] is False)


def _made(folder):
    """Sites made from git histories. Where only furniture changed by one reading, either answer is fair, and the pair has no label."""
    for line in _lines(next(folder.glob("*.truth.jsonl.gz"))):
        if line["status"] != 200 or line.get("mime") != "text/html" or "text_sha" not in line:
            continue
        text, main = line["text_changed_from_prev"], line["main_changed_from_prev"]
        fair = text != main or line.get("boilerplate_only") or line.get("furniture_maybe")
        yield Capture(site_of(line["uri"]), line["uri"], line["datetime"], line["text_sha"], None if fair and text else text,
                      line.get("digest_changed_from_prev") is False)


def captures(corpus):
    """The captures of each page in time order; of equal bytes only the first."""
    pages = collections.defaultdict(list)
    corpus = pathlib.Path(corpus)
    for capture in itertools.chain(_wild(corpus / "wild-dating"), *(_made(corpus / n) for n in PAGES)):
        pages[capture.uri].append(capture)
    return {uri: _labelled(list_) for uri, list_ in pages.items()}


def _labelled(page):
    """Gives captures the number of their content version; a label that is not known begins a new epoch, over which no pair goes."""
    epoch = version = 0
    labelled = []
    for n, capture in enumerate(page):
        if n and capture.changed is None:
            epoch += 1
        if n and capture.changed is not False:
            version += 1
        if not (n and capture.same_bytes and capture.changed is False):
            labelled.append((capture, epoch, version))
    return labelled


def sample(corpus, seed=1):
    """Snapshots to render: (site, uri, datetime, epoch, version, digest)."""
    rng = random.Random(seed)
    chosen = []
    pages = captures(corpus)
    for site, limit in PAGES.items():
        mine = sorted((u for u in pages if site_of(u) == site), key=lambda u: (-len(pages[u]), u))
        keep = set(rng.sample(mine[: 3 * limit], min(limit, len(mine))) if site != "backbone" else mine[:limit])
        for uri in mine:
            if uri not in keep:
                del pages[uri]
    for uri, page in sorted(pages.items()):
        most = PER_PAGE_OF.get(site_of(uri), PER_PAGE)
        first = rng.randrange(max(1, len(page) - most + 1))
        for capture, epoch, version in page[first:first + most]:
            chosen.append(dict(site=capture.site, uri=uri, datetime=capture.datetime, epoch=epoch, version=version, digest=capture.digest))
    return chosen


def pairs(snapshots):
    """All pairs of snapshots of one page whose label is known: (i, j, important)."""
    pages = collections.defaultdict(list)
    for n, snapshot in enumerate(snapshots):
        pages[snapshot["uri"]].append(n)
    for members in pages.values():
        for i, j in itertools.combinations(members, 2):
            a, b = snapshots[i], snapshots[j]
            if a["epoch"] != b["epoch"]:
                continue
            if a["version"] == b["version"]:
                yield i, j, False
            elif a["digest"] != b["digest"]:  # equal ones came back to what they were
                yield i, j, True
