import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'go',
  label: 'Go (net/http)',
  language: 'Go',
  fileName: 'main.go',
  note: 'A json.Decoder on r.Body consumes the bytes. io.ReadAll keeps them, first for the signature, then for json.Unmarshal.',
  code: (brand) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

var secret = []byte(os.Getenv("WEBHOOK_SECRET"))

func isAuthentic(rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(rawBody)
	expected := hex.EncodeToString(mac.Sum(nil))
	// In constant time; false when the lengths differ.
	return hmac.Equal([]byte(expected), []byte(signature))
}

func webhooks(w http.ResponseWriter, r *http.Request) {
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 10<<20))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !isAuthentic(rawBody, r.Header.Get("${headerName(brand, 'signature')}")) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct {
		Type string \`json:"type"\`
	}
	if err := json.Unmarshal(rawBody, &event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	log.Println(event.Type) // Long work belongs in a queue.
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET.")
	}
	http.HandleFunc("/webhooks", webhooks)
	log.Fatal(http.ListenAndServe(":3000", nil))
}
`,
})
