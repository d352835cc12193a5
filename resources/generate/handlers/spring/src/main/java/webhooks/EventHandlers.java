package webhooks;

import org.springframework.stereotype.Component;

@Component
class EventHandlers {
    /** Called once for each event, after the response, in the order in which events were received. An error is logged. */
    void handle(WebhookEvent.EventBase event) {
        switch (event) {
            // tabscope:each
            case WebhookEvent.OrderPlacedEvent each -> onOrderPlacedEvent(each);
            // tabscope:end
        }
    }

    // tabscope:each
    /** Fired when an order is placed at a location. `targetUuid` = order UUID. */
    private void onOrderPlacedEvent(WebhookEvent.OrderPlacedEvent event) {
    }

    // tabscope:end
}
