<?php

declare(strict_types=1);

namespace Webhooks;

final class EventHandlers
{
    /** Called once for each event, after the response. An error is logged. */
    public function handle(WebhookEvent $event): void
    {
        match ($event::class) {
            // tabscope:each
            OrderPlacedEvent::class => $this->onOrderPlacedEvent($event),
            // tabscope:end
            default => null,
        };
    }

    // tabscope:each
    /** Fired when an order is placed at a location. `targetUuid` = order UUID. */
    private function onOrderPlacedEvent(OrderPlacedEvent $event): void
    {
    }

    // tabscope:end
}
