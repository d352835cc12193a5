import type { Handlers } from './webhooks.ts'

/** Called once for each event, after the response, in the order in which events were received. An error is logged. */
export const handlers: Handlers = {
  // tabscope:each
  // Fired when an order is placed at a location. `targetUuid` = order UUID.
  async ORDER_PLACED(event) {},

  // tabscope:end
}
