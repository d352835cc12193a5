package main

import (
	"log"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
)

func handleWebhook(c *gin.Context) {
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, 10<<20)
	rawBody, err := c.GetRawData()
	if err != nil {
		c.Status(http.StatusRequestEntityTooLarge)
		return
	}
	c.Status(receive(rawBody, c.GetHeader("X-Service-Signature")))
}

func main() {
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.POST("/webhooks", handleWebhook)
	log.Printf("Listening on http://127.0.0.1:%s/webhooks", port)
	log.Fatal(router.Run(":" + port))
}
