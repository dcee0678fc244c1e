package visual

import "slices"

// nearDuplicate is the distance up to which a picture shows nothing new.
const nearDuplicate = 0.02

// Story returns the indices of up to most of the pictures, oldest first, that show the history of a page: the first, and each that differs
// from the one before it. Those that differ least are left out.
func (s *Store) Story(all []*Picture, most int) []int {
	type scene struct {
		at  int
		far float64 // distance from the previous scene
	}
	var scenes []scene
	for i, p := range all {
		if !p.HasImage() {
			continue
		}
		if len(scenes) == 0 {
			scenes = append(scenes, scene{i, 2}) // always stays
			continue
		}
		c := s.Compare(all[scenes[len(scenes)-1].at], p)
		if c.Important || c.Distance > nearDuplicate {
			scenes = append(scenes, scene{i, c.Distance})
		}
	}
	for len(scenes) > max(most, 0) {
		least := len(scenes) - 1
		for i := range scenes {
			if scenes[i].far < scenes[least].far {
				least = i
			}
		}
		scenes = slices.Delete(scenes, least, least+1)
	}
	out := make([]int, 0, len(scenes))
	for i := range scenes {
		out = append(out, scenes[i].at)
	}
	return out
}
