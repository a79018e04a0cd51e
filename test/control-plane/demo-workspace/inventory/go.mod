module example.com/shop/inventory

go 1.23
