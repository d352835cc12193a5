package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"sync"

	"webhook-handler/webhooks"
)

var (
	secret         = []byte(os.Getenv("WEBHOOK_SECRET"))
	previousSecret = []byte(os.Getenv("WEBHOOK_PREVIOUS_SECRET"))
)

// receive verifies the bytes of a request as received. It returns the status to respond with.
func receive(rawBody []byte, signature string) int {
	isAuthentic := matches(secret, rawBody, signature) ||
		len(previousSecret) > 0 && matches(previousSecret, rawBody, signature)
	if !isAuthentic {
		return http.StatusUnauthorized
	}
	event, err := webhooks.ParseEvent(rawBody)
	if err != nil {
		return http.StatusBadRequest
	}
	if _, unknown := event.(*webhooks.UnknownEvent); unknown {
		log.Printf("Ignored an event of the type %q: it is not known.", event.EventType())
		return http.StatusNoContent
	}
	return accept(rawBody, event)
}

func matches(key, rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, key)
	mac.Write(rawBody)
	expected := hex.EncodeToString(mac.Sum(nil))
	// In constant time; false when the lengths differ.
	return hmac.Equal([]byte(expected), []byte(signature))
}

// There is no event ID.
type eventKey struct {
	Type, TargetUUID, TargetID, LocationUUID, LocationID, CreatedAt string
}

type work struct {
	key   eventKey
	event webhooks.WebhookEvent
}

const maxSeen = 100_000

var (
	mutex sync.Mutex
	// In production, use a table with a unique key instead: this forgets everything at a restart.
	seen = map[eventKey]bool{}
	// The keys of seen, the oldest first.
	order []eventKey
	// In production, use a queue that survives a restart.
	queue = make(chan work, 10_000)
)

func accept(rawBody []byte, event webhooks.WebhookEvent) int {
	var key eventKey
	_ = json.Unmarshal(rawBody, &key) // What is not a text stays empty.
	mutex.Lock()
	defer mutex.Unlock()
	if seen[key] {
		return http.StatusNoContent
	}
	select {
	case queue <- work{key, event}:
	default:
		return http.StatusServiceUnavailable
	}
	seen[key] = true
	order = append(order, key)
	if len(order) > maxSeen {
		delete(seen, order[0])
		order = order[1:]
	}
	return http.StatusNoContent
}

func init() {
	go func() {
		for next := range queue {
			if err := process(next.event); err != nil {
				mutex.Lock()
				delete(seen, next.key) // It is processed if it is sent again.
				mutex.Unlock()
				log.Printf("Failed to process %+v: %v", next.key, err)
			} else {
				fmt.Printf("Processed %+v\n", next.key)
			}
		}
	}()
}

func process(event webhooks.WebhookEvent) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	return handle(event)
}
