module webhook-handler

go 1.21

require github.com/gin-gonic/gin v1.10.1
