"""Area under the ROC curve, precision and recall, the threshold that training pairs choose."""

import numpy as np


def roc(scores, labels):
    """Points (false positive rate, true positive rate) of the curve, from 0,0 to 1,1. A higher score means more important."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    labels = np.asarray(labels, bool)[order]
    scores = np.asarray(scores)[order]
    last = np.r_[np.flatnonzero(np.diff(scores)), len(scores) - 1]  # of equal scores
    true = np.cumsum(labels)[last] / max(1, labels.sum())
    false = np.cumsum(~labels)[last] / max(1, (~labels).sum())
    return np.r_[0, false], np.r_[0, true]


def auc(scores, labels):
    false, true = roc(scores, labels)
    return float(np.trapezoid(true, false))


def threshold(scores, labels):
    """The score from which on a change is called important: the one with the best F1."""
    candidates = np.unique(scores)
    best = max(candidates, key=lambda t: f1(*precision_recall(scores, labels, t)))
    below = candidates[candidates < best]
    return float((best + below[-1]) / 2 if len(below) else best)


def precision_recall(scores, labels, at):
    said = np.asarray(scores) >= at
    labels = np.asarray(labels, bool)
    right = (said & labels).sum()
    return float(right / max(1, said.sum())), float(right / max(1, labels.sum()))


def f1(precision, recall):
    return 2 * precision * recall / max(1e-9, precision + recall)
