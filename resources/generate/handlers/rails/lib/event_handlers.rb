# Called once for each event, after the response, in the order in which events were received.
# An error is logged.
module EventHandlers
  METHODS = {
    # tabscope:each
    "ORDER_PLACED" => :on_order_placed,
    # tabscope:end
  }.freeze

  # tabscope:each
  # Fired when an order is placed at a location. `targetUuid` = order UUID.
  def self.on_order_placed(event)
  end

  # tabscope:end
end
