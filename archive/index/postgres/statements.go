package postgres

import "fmt"

// statements are the SQL statements for a store's table. Their texts are constant, so that the database can cache plans.
type statements struct {
	get, getMany string
	pages        [2][2]string // of a range: ascending or descending, with values or keys only
	walks        [2]string    // beginnings of several walks: ascending or descending
	put, remove  string
}

func statementsFor(table string) (s statements) {
	s.get = "SELECT value FROM " + table + " WHERE head = $1 AND hash = $2"
	s.getMany = "SELECT i, value FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS asked(head, hash, i) " +
		"JOIN " + table + " USING (head, hash) ORDER BY i"
	for down, order := range []string{"", " DESC"} {
		for keysOnly, value := range []string{"value", "''::bytea"} {
			s.pages[down][keysOnly] = fmt.Sprintf("SELECT head, rest, %s FROM %s WHERE (head, rest) >= ($1, $2) AND (head, rest) < ($3, $4) "+
				"ORDER BY head%s, rest%s LIMIT $5", value, table, order, order)
		}
	}
	for down, order := range []string{"", " DESC"} {
		s.walks[down] = fmt.Sprintf("SELECT i, found.* FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[]) WITH ORDINALITY "+
			"AS walk(a, b, y, z, i), LATERAL (SELECT head, rest, value FROM %s WHERE (head, rest) >= (a, b) AND (head, rest) < (y, z) "+
			"ORDER BY head%s, rest%s LIMIT $5) AS found ORDER BY i, head%s, rest%s", table, order, order, order, order)
	}
	s.put = "INSERT INTO " + table + " SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[]) " +
		"ON CONFLICT (head, hash) DO UPDATE SET value = excluded.value"
	s.remove = "DELETE FROM " + table + " AS held USING unnest($1::bytea[], $2::bytea[]) AS gone(head, hash) " +
		"WHERE held.head = gone.head AND held.hash = gone.hash"
	return s
}

func (s *statements) all() []string {
	return []string{
		beginReading, beginUpdating, commit, s.get, s.getMany, s.put, s.remove, s.walks[0], s.walks[1],
		s.pages[0][0], s.pages[0][1], s.pages[1][0], s.pages[1][1],
	}
}
