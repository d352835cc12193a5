from functools import singledispatch

from webhook_events import (
    # tabscope:each
    OrderPlacedEvent,
    # tabscope:end
    WebhookEvent,
)


@singledispatch
def handle(event: WebhookEvent) -> None:
    """Called once for each event, after the response, in the order in which events
    were received. An error is logged."""
    raise NotImplementedError(event.type)


# tabscope:each
# Fired when an order is placed at a location. `targetUuid` = order UUID.
@handle.register
def on_order_placed(event: OrderPlacedEvent) -> None:
    pass


# tabscope:end
