module example.com/zones

go 1.21
