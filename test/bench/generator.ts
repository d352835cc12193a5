// Runs in a separate process, so that it shares nothing with the measured server. Implements minimal HTTP: one request, one response.
import { connect, type Socket } from 'node:net'
import { orders, type Deviation } from './payloads.ts'

export interface Load {
  readonly port: number
  readonly path: string
  readonly secret: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second, evenly distributed; null: each connection sends the next request after each response. */
  readonly rate: number | null
  /** Ends after this many requests, if that is earlier. Then each request is different, and signed right before it is sent. */
  readonly count?: number
  /** How the deliveries deviate from the API documentation. Only with `count`. */
  readonly deviation?: Deviation
}

export interface LoadResult {
  readonly answered: number
  readonly perSecond: number
  /** Responses with a status other than 200. */
  readonly refused: number
  /** Milliseconds from the scheduled time of a request to its response. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Total size of the headers (names and values) and bodies of all requests; 0 without `count`. */
  readonly rawBytes: number
}

const ok = Buffer.from('HTTP/1.1 200')

function run(load: Load): Promise<LoadResult> {
  const { count = Number.POSITIVE_INFINITY } = load
  const fresh = orders(load.path, load.secret, load.deviation)
  /** Signed in advance. */
  const requests =
    load.count === undefined
      ? Array.from({ length: 2000 }, (_, n) => Buffer.from(fresh(n).request))
      : []
  let rawBytes = 0
  const latencies: number[] = []
  const free: Socket[] = []
  const due: number[] = []
  let next = 0
  let refused = 0
  let open = 0
  let stopped = false
  const begun = performance.now()

  return new Promise((resolve) => {
    const finish = (): void => {
      const seconds = (performance.now() - begun) / 1000
      latencies.sort((a, b) => a - b)
      const at = (share: number): number =>
        latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
      resolve({
        answered: latencies.length,
        perSecond: latencies.length / seconds,
        refused,
        p50: at(0.5),
        p99: at(0.99),
        max: latencies.at(-1) ?? 0,
        rawBytes,
      })
    }
    const send = (socket: Socket, at: number): void => {
      sentAt.set(socket, at)
      const request = requests[next % requests.length]
      if (request) socket.write(request)
      else {
        const order = fresh(next)
        rawBytes += order.rawBytes
        socket.write(order.request)
      }
      next += 1
    }
    const sentAt = new WeakMap<Socket, number>()
    const idle = (socket: Socket): void => {
      if (stopped || next >= count) return void socket.end()
      if (load.rate === null) return send(socket, performance.now())
      const waiting = due.shift()
      if (waiting === undefined) free.push(socket)
      else send(socket, waiting)
    }
    for (let i = 0; i < load.connections; i += 1) {
      const socket = connect(load.port, '127.0.0.1')
      open += 1
      socket.setNoDelay(true)
      socket.on('connect', () => idle(socket))
      // A response is one short segment. A longer one would be counted as an error.
      socket.on('data', (chunk: Buffer) => {
        latencies.push(performance.now() - (sentAt.get(socket) ?? 0))
        if (chunk.compare(ok, 0, ok.length, 0, ok.length) !== 0) refused += 1
        idle(socket)
      })
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        open -= 1
        if (open === 0) finish()
      })
    }
    if (load.rate !== null) {
      let issued = 0
      const rate = load.rate
      const pace = setInterval(() => {
        const elapsed = performance.now() - begun
        while (issued < count && issued < (elapsed / 1000) * rate) {
          const at = begun + (issued * 1000) / rate
          issued += 1
          const socket = free.shift()
          if (socket) send(socket, at)
          else due.push(at)
        }
        if (issued >= count) for (const socket of free.splice(0)) socket.end()
        if (stopped || issued >= count) clearInterval(pace)
      }, 1)
    }
    setTimeout(() => {
      stopped = true
      for (const socket of free) socket.end()
    }, load.seconds * 1000).unref()
  })
}

process.on('message', (load: Load) => {
  void run(load).then((result) => process.send?.(result, () => process.disconnect()))
})
