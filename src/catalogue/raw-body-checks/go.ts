import { headerName } from '../headers.ts'
import { type Checks, defineRawBodyCheck } from '../raw-body-check.ts'

const goChecks: Checks = {
  imports: `	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
`,
  text: `
var secret = []byte(os.Getenv("WEBHOOK_SECRET"))

func isAuthentic(rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(rawBody)
	expected := hex.EncodeToString(mac.Sum(nil))
	// In constant time; false when the lengths differ.
	return hmac.Equal([]byte(expected), []byte(signature))
}

type event struct {
	Type, TargetUuid, TargetId, CreatedAt string
}

// In production, use a table with a unique key: this forgets everything at a restart.
var seen sync.Map

func process(e event) {
	// There is no event ID.
	if _, again := seen.LoadOrStore(e, true); again {
		return
	}
	switch e.Type {
	case "ORDER_PLACED", "OPEN_TAB", "CLOSE_TAB", "ITEM_ADDED", "ITEM_REMOVED", "PRODUCT_UPDATED":
		log.Println(e.Type, e.TargetUuid)
	} // Ignore other types: new ones may be added.
}

// receive returns the status to respond with.
func receive(rawBody []byte, signature string) int {
	if !isAuthentic(rawBody, signature) {
		return http.StatusUnauthorized
	}
	var e event
	if err := json.Unmarshal(rawBody, &e); err != nil || e.Type == "" {
		return http.StatusBadRequest
	}
	process(e) // Long work belongs in a queue.
	return http.StatusNoContent
}
`,
}

export default defineRawBodyCheck({
  id: 'go',
  label: 'Go (net/http)',
  language: 'Go',
  fileName: 'main.go',
  note: 'A json.Decoder on r.Body consumes the bytes. io.ReadAll keeps them, first for the signature, then for json.Unmarshal.',
  code: (brand, { imports, text } = goChecks) => `package main

import (
${imports})
${text}
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
	w.WriteHeader(receive(rawBody, r.Header.Get("${headerName(brand, 'signature')}")))
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
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
`,
})
