package main

import "webhook-handler/webhooks"

// handle is called once for each event, after the response, in the order in which events were
// received. An error is logged.
func handle(event webhooks.WebhookEvent) error {
	switch event := event.(type) {
	// tabscope:each
	case *webhooks.OrderPlacedEvent:
		return onOrderPlacedEvent(event)
	// tabscope:end
	}
	return nil
}

// tabscope:each
// Fired when an order is placed at a location. `targetUuid` = order UUID.
func onOrderPlacedEvent(event *webhooks.OrderPlacedEvent) error {
	return nil
}

// tabscope:end
