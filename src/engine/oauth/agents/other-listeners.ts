import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { DeliverySummary } from '#contract/models.ts'
import { handledLater } from '#shared/async/handled-later.ts'
import type { RunPorts } from '../live-run.ts'
import type { Visit } from '../redirect.ts'

/** Published by Node for each request that an HTTP server of this process receives. */
const requestStart = 'http.server.request.start'

/** Most requests have neither, and are not looked at. */
const mayBeRedirect = /[?&](?:code|error)=/

/**
 * Watches for a redirect at Tabscope’s other ports: the webhook listener, which is in another thread and stores what it receives, and the HTTP servers of
 * this process (interface, sandbox). It cannot see a port on which Tabscope does not listen. `where` continues a sentence. Returns what stops it.
 */
export function watchOtherListeners(
  { bus, store }: Pick<RunPorts, 'bus' | 'store'>,
  redirectUrl: string,
  visited: (visit: Visit, where: string) => void,
): () => void {
  const redirect = new URL(redirectUrl)
  const ownPort = Number(redirect.port || '80')

  const readDelivery = async ({ id, path, method }: DeliverySummary): Promise<void> => {
    const delivery = await store.reader.call('get', id)
    const host = delivery?.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
    const where =
      delivery?.via === 'tunnel'
        ? 'through the tunnel at the webhook listener of Tabscope'
        : 'at the webhook listener of Tabscope'
    report(method, host, path, where)
  }
  const report = (method: string, host: string, path: string, where: string): void => {
    if (method !== 'GET' && method !== 'POST') return
    visited({ address: `http://${host}${path}`, method, form: null }, where)
  }
  const stopDeliveries = bus.on('deliveries.arrived', ({ rows }) => {
    for (const row of rows) if (mayBeRedirect.test(row.path)) handledLater(readDelivery(row))
  })

  const onRequest = (message: unknown): void => {
    const request = requestOf(message)
    const { localPort } = request?.socket ?? {}
    const path = request?.url ?? ''
    if (!request || localPort === ownPort || !mayBeRedirect.test(path)) return
    report(
      request.method ?? '',
      request.headers.host ?? '',
      path,
      `at port ${localPort ?? 0}, on which Tabscope listens for something else`,
    )
  }
  subscribe(requestStart, onRequest)
  return () => {
    stopDeliveries()
    unsubscribe(requestStart, onRequest)
  }
}

function requestOf(message: unknown): IncomingMessage | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented message of this channel
  const { request } = message as { request?: IncomingMessage }
  return request ?? null
}
