namespace Webhooks;

public sealed class EventHandlers
{
    /// <summary>Called once for each event, after the response, in the order in which events were received. An error is logged.</summary>
    public Task Handle(EventBase e) => e switch
    {
        // tabscope:each
        OrderPlacedEvent each => OnOrderPlacedEvent(each),
        // tabscope:end
        _ => Task.CompletedTask,
    };

    // tabscope:each
    // Fired when an order is placed at a location. `targetUuid` = order UUID.
    private Task OnOrderPlacedEvent(OrderPlacedEvent e) => Task.CompletedTask;

    // tabscope:end
}
