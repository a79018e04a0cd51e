package main

import (
	"log"
	"net/http"
	"strconv"

	"example.com/shop/inventory/stock"
)

func main() {
	store := &stock.Store{}
	http.HandleFunc("GET /reserve/{sku}", func(w http.ResponseWriter, r *http.Request) {
		quantity, _ := strconv.Atoi(r.URL.Query().Get("quantity"))
		if !store.Reserve(r.PathValue("sku"), quantity) {
			http.Error(w, "out of stock", http.StatusConflict)
		}
	})
	log.Fatal(http.ListenAndServe(":8084", nil))
}
