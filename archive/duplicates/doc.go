// Package duplicates groups what is alike in a collection: pages by their texts, and pictures by their payloads.
//
// [Find] finds the groups. Of each two captures of a group [Group.Pairs] says how alike they are and what they are to each other, a [Kind].
//
// Stability: may be used by other programs; exported names may change until version 1.0.
package duplicates
