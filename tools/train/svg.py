"""ROC curves as a small SVG."""

SIDE, MARGIN = 420, 48
COLOURS = ("#767676", "#b26a00", "#8b3fa8", "#2e7d6b", "#1f5fbf", "#b3261e")
DASHES = ("2 3", "6 3", "8 3 2 3", "4 2", "", "")


def points(false, true):
    return " ".join(f"{MARGIN + f * SIDE:.1f},{MARGIN + (1 - t) * SIDE:.1f}" for f, t in zip(false, true))


def roc(curves, areas):
    """curves: (false positive rates, true positive rates) by name; areas: AUC by name."""
    height = MARGIN * 2 + SIDE + 22 * len(curves)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + 2 * MARGIN} {height}" font-family="sans-serif" font-size="13" role="img">',
           "<title>ROC curves on sites left out of the training</title>",
           f'<rect width="{SIDE + 2 * MARGIN}" height="{height}" fill="#fff"/>',
           f'<path d="M{MARGIN} {MARGIN}V{MARGIN + SIDE}H{MARGIN + SIDE}" fill="none" stroke="#222"/>',
           f'<path d="M{MARGIN} {MARGIN + SIDE}L{MARGIN + SIDE} {MARGIN}" stroke="#ccc" stroke-dasharray="3 3"/>',
           f'<text x="{MARGIN + SIDE / 2}" y="{MARGIN + SIDE + 30}" text-anchor="middle">unimportant changes called important</text>',
           f'<text x="20" y="{MARGIN + SIDE / 2}" text-anchor="middle" transform="rotate(-90 20 {MARGIN + SIDE / 2})">important changes found</text>']
    for n in (0, 0.5, 1):
        out.append(f'<text x="{MARGIN + n * SIDE}" y="{MARGIN + SIDE + 15}" text-anchor="middle">{n:g}</text>')
        out.append(f'<text x="{MARGIN - 6}" y="{MARGIN + (1 - n) * SIDE + 4}" text-anchor="end">{n:g}</text>')
    for n, (name, curve) in enumerate(curves.items()):
        y = MARGIN + SIDE + 54 + 22 * n
        style = f'fill="none" stroke="{COLOURS[n]}" stroke-width="2" stroke-dasharray="{DASHES[n]}"'
        out.append(f'<polyline points="{points(*curve)}" {style}/>')
        out.append(f'<path d="M{MARGIN} {y - 4}h40" {style}/><text x="{MARGIN + 50}" y="{y}">{name}: {areas[name]:.3f}</text>')
    return "\n".join(out) + "\n</svg>\n"
