package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func handleWebhook(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 10<<20))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	w.WriteHeader(receive(rawBody, r.Header.Get("X-Service-Signature")))
}

func main() {
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	http.HandleFunc("/webhooks", handleWebhook)
	log.Printf("Listening on http://127.0.0.1:%s/webhooks", port)
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
