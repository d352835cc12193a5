import type { LookupAddress } from 'node:dns'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import axios from 'axios/dist/node/axios.cjs'
import localtunnel from 'localtunnel'
import { steadyClock } from '../clock.ts'
import { hostOf } from '../http/addresses.ts'
import { placeOfAddress, type AddressPlace } from '../send/target/place.ts'
import { throttle } from '../throttle.ts'
import { collectSockets } from './localtunnel/collect-sockets.ts'
import { Connections } from './localtunnel/connections.ts'
import type { ClientData, ClientEvent, ClientOrder } from './localtunnel/messages.ts'
import { isLoopback } from './localtunnel/names.ts'
import { pinNames } from './localtunnel/pinned-names.ts'
import { assignedBy, type Assigned } from './localtunnel/server-answer.ts'
import { isProxied, requestFailure, statusFailure } from './localtunnel/server-fault.ts'
import { TunnelFailure } from './provider.ts'

const limits = {
  /** Of the server's answer, in bytes. */
  answer: 256 * 1024,
  redirects: 5,
  /** Until the next address of a name is tried, in milliseconds. A busy thread takes the usual 250 for a failure of the first. */
  address: 5000,
  /** For answers on their way when it is closed, in milliseconds. */
  grace: 250,
  /** Between two counts of the connections, in milliseconds. */
  counts: 100,
}

/**
 * The client of localtunnel, unchanged, in a thread of its own: a client whose server does not answer asks again each second, for ever, and its
 * `close()` changes nothing about that. Only the end of its thread does. Here it is watched: what its server answered, and which of its
 * connections are open.
 */
function run(port: MessagePort, data: ClientData): void {
  // It parses addresses with `url.parse`, of which Node would speak on the terminal.
  process.noDeprecation = true
  const addressesOf = pinNames()
  setDefaultAutoSelectFamilyAttemptTimeout(limits.address)

  let assigned: Assigned | null = null
  let madeByClient: ReturnType<typeof collectSockets> | null = null
  let connections: Connections | null = null
  let over = false
  let opened = false
  let told = -1
  const tell = (event: ClientEvent): void => port.postMessage(event)
  const counted = throttle(steadyClock, limits.counts, () => {
    const open = connections?.count ?? 0
    if (over || !assigned || open === told) return
    told = open
    tell({ event: 'connections', open, most: assigned.most })
  })
  const fail = ({ code, message, retry }: TunnelFailure): void => {
    if (over) return
    over = true
    tell({ event: 'failed', fault: { code, message, retry } })
  }
  /** Of an answer that is never given the client makes nothing: it would ask again. */
  const withhold = (error: unknown): Promise<never> => {
    fail(error instanceof TunnelFailure ? error : new TunnelFailure('internal', String(error)))
    return new Promise(() => undefined)
  }

  Object.assign(axios.defaults, {
    maxContentLength: limits.answer,
    maxRedirects: limits.redirects,
    // A proxy of the network knows nothing of this machine.
    ...(isLoopback(new URL(data.host)) ? { proxy: false } : {}),
  })
  axios.interceptors.response.use(
    async (response) => {
      try {
        if (response.status !== 200) throw statusFailure(response.status, response.data, data)
        const found = addressesOf(hostOf(new URL(data.host)))
        assigned = assignedBy(response.data, data.host, await nearest(found))
      } catch (error) {
        return withhold(error)
      }
      madeByClient = collectSockets()
      const { most, ...rest } = assigned
      return { ...response, data: { ...rest, max_conn_count: most } }
    },
    (error) => withhold(requestFailure(error, data, isProxied(data.host, process.env))),
  )

  const follow = (to: Assigned, cluster: { open(): void }): void => {
    const open = cluster.open.bind(cluster)
    const followed = new Connections({
      most: to.most,
      place: `${to.ip ?? new URL(data.host).hostname}:${to.port}`,
      connect: () => {
        const made = collectSockets()
        open()
        return made()
      },
      opened: () => {
        opened = true
        tell({ event: 'opened', id: to.id, url: to.url })
      },
      counted: () => counted.wanted(),
      trouble: (reason) => tell({ event: 'trouble', reason }),
      none: (reason) => {
        if (!opened) {
          const sentence = `${data.host} gave a tunnel, but no connection can be made to it: ${reason}. A firewall may be in the way, or a network that lets nothing but web traffic out.`
          fail(new TunnelFailure('server_down', sentence))
          return
        }
        over = true
        const sentence = `The tunnel has ended: ${reason}. Its server was restarted, or has dropped it.`
        tell({ event: 'ended', reason: sentence })
      },
    })
    connections = followed
    for (const socket of madeByClient?.() ?? []) followed.add(socket)
    // The client's word that one is gone; it has none for most that are.
    cluster.open = () => followed.fill()
  }

  const client = localtunnel(
    { port: data.port, host: data.host, ...(data.name === null ? {} : { subdomain: data.name }) },
    (error) => {
      if (error) fail(new TunnelFailure('internal', `The tunnel's client failed: ${error.message}`))
      else if (assigned && client.tunnelCluster) follow(assigned, client.tunnelCluster)
    },
  )
  // Without a listener the first refused connection would end this thread. What it says is known from the sockets.
  client.on('error', () => undefined)

  port.on('message', async (order: ClientOrder) => {
    if (order !== 'close') return
    over = true
    await connections?.close(limits.grace)
    client.close()
    tell({ event: 'closed' })
  })
}

/** It was given up before it began: then nobody is asked for anything, and the thread ends by itself. */
function isClosed(port: MessagePort): boolean {
  return receiveMessageOnPort(port) !== undefined
}

/** Where the server is, by the nearest of its addresses. One that cannot be looked up here, but by a proxy, is outside. */
async function nearest(found: Promise<readonly LookupAddress[]>): Promise<AddressPlace> {
  const addresses = await found.catch(() => [])
  const places = addresses.map(({ address }) => placeOfAddress(address))
  return places.find((place) => place !== 'public') ?? 'public'
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `openClient` gave, in the same program
if (parentPort && !isClosed(parentPort)) run(parentPort, workerData as ClientData)
