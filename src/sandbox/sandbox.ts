import { systemClock } from './clock.ts'
import { Sending, type SendingOptions } from './sending.ts'
import { ServiceControl } from './service-control.ts'

/** A local simulation of the platform: it sends webhooks, and its `service` handles requests. Satisfies the engine's `SandboxPort`. */
export class Sandbox extends Sending {
  readonly service: ServiceControl

  constructor(options: SendingOptions = {}) {
    super(options)
    this.service = new ServiceControl(options.clock ?? systemClock)
  }

  override async close(): Promise<void> {
    await super.close()
    await this.service.close()
  }
}
