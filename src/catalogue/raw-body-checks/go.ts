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
	"sync"
)

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

func webhooks(w http.ResponseWriter, r *http.Request) {
	rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 10<<20))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if !isAuthentic(rawBody, r.Header.Get("${headerName(brand, 'signature')}")) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e event
	if err := json.Unmarshal(rawBody, &e); err != nil || e.Type == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	process(e) // Long work belongs in a queue.
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET.")
	}
	http.HandleFunc("POST /webhooks", webhooks)
	log.Fatal(http.ListenAndServe(":3000", nil))
}
`,
})
