import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RawBodyCheck } from '#catalogue/raw-body-check.ts'
import { Network } from '#engine/platform/http/network.ts'
import { madeUpPrefix } from '#engine/rehearsal/request-builder.ts'
import { createUrlObserver, type Observer } from '#engine/rehearsal/observer.ts'
import { OwnPorts } from '#engine/sending/messages.ts'
import { createWire } from '#engine/sending/wire/wire.ts'
import { startHandler } from '../../integration/raw-body-checks/handler.ts'
import type { Runtime } from '../../integration/raw-body-checks/runtimes.ts'
import { identity } from './rehearse.ts'

/** The target, which the code of a check prints once for each event that it processes. Threads print into the lines of each other. */
const effect = new RegExp(`${madeUpPrefix}-`, 'g')

export function effectsOf(handler: Pick<PublishedHandler, 'output'>): number {
  return handler.output().match(effect)?.length ?? 0
}

export interface PublishedHandler extends AsyncDisposable {
  readonly url: string
  /** Reads the number of effects from a URL. */
  readonly observer: Observer
  output(): string
}

/** Runs the code of a check in its own process, and serves the number of its effects. */
export async function startPublished(
  check: RawBodyCheck,
  runtime: Runtime,
): Promise<PublishedHandler> {
  const handler = await startHandler(check, runtime, identity.brand, identity.secret)
  const counter = createServer((_request, response) => {
    response.end(String(effectsOf(handler)))
  })
  counter.listen(0, '127.0.0.1')
  await once(counter, 'listening')
  const address = counter.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}/effects`
  const wire = createWire(new OwnPorts(), () => null, new Network())
  const observer = createUrlObserver({ url, publicAllowed: false, verifyTls: true }, wire)
  return {
    url: handler.url,
    observer,
    output: () => handler.output(),
    [Symbol.asyncDispose]: async () => {
      await wire.close()
      counter.close()
      counter.closeAllConnections()
      await handler[Symbol.asyncDispose]()
    },
  }
}
