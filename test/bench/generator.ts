// Runs in a separate process, so that it shares nothing with the measured server. Implements minimal HTTP: one request, one response.
import { connect, type Socket } from 'node:net'
import { signedOrders } from './payloads.ts'

export interface Load {
  readonly port: number
  readonly path: string
  readonly secret: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second, evenly distributed; null: each connection sends the next request after each response. */
  readonly rate: number | null
  /** `Host` header, if different from the URL. */
  readonly host?: string
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
}

const ok = Buffer.from('HTTP/1.1 200')

function run(load: Load): Promise<LoadResult> {
  const requests = signedOrders(2000, load.path, load.secret, load.host)
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
      })
    }
    const send = (socket: Socket, at: number): void => {
      sentAt.set(socket, at)
      const request = requests[next % requests.length]
      next += 1
      if (request) socket.write(request)
    }
    const sentAt = new WeakMap<Socket, number>()
    const idle = (socket: Socket): void => {
      if (stopped) return void socket.end()
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
        while (issued < (elapsed / 1000) * rate) {
          const at = begun + (issued * 1000) / rate
          issued += 1
          const socket = free.shift()
          if (socket) send(socket, at)
          else due.push(at)
        }
        if (stopped) clearInterval(pace)
      }, 1)
    }
    setTimeout(() => {
      stopped = true
      for (const socket of free) socket.end()
    }, load.seconds * 1000)
  })
}

process.on('message', (load: Load) => {
  void run(load).then((result) => process.send?.(result, () => process.disconnect()))
})
