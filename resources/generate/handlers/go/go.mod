module webhook-handler

go 1.21
