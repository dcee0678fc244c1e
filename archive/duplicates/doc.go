// Package duplicates groups similar things in a collection: pages by their texts, and pictures by their payloads.
//
// [Find] finds the groups. [Group.Pairs] yields each pair of similar captures with the similarity and the relation, a [Kind].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package duplicates
