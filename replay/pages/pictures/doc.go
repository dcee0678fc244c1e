// Package pictures answers with pictures of versions, and compares two captures by how they look.
package pictures
