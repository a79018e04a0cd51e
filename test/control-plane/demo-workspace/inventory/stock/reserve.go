// Package stock knows what is in which shelf.
package stock

import "sync"

// Shelf holds one product.
type Shelf struct {
	SKU  string
	Left int
}

// Store is all shelves of a warehouse.
type Store struct {
	mu      sync.Mutex
	shelves []Shelf
	index   map[string]int
}

// Reserve takes so many of a product; false if there are not enough.
func (s *Store) Reserve(sku string, quantity int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	position := s.index[sku]
	shelf := &s.shelves[position]
	if shelf.Left < quantity {
		return false
	}
	shelf.Left -= quantity
	return true
}
