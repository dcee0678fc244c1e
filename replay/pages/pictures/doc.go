// Package pictures serves pictures of versions, and compares two captures visually.
package pictures
