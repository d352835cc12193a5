import { systemClock } from './clock.ts'
import { createSending } from './sending.ts'
import type { Sending, SendingOptions } from './sending.ts'
import { createServiceControl } from './service-control.ts'
import type { ServiceControl } from './service-control.ts'

/** A local simulation of the platform: it sends webhooks, and its `service` handles requests. Satisfies the engine's `SandboxPort`. */
export interface Sandbox extends Sending {
  readonly service: ServiceControl
}

export function createSandbox(options: SendingOptions = {}): Sandbox {
  const sending = createSending(options)
  const service = createServiceControl(options.clock ?? systemClock)
  return {
    ...sending,
    service,
    close: async () => {
      await sending.close()
      await service.close()
    },
  }
}
