import { abortedFault } from '../../http/failures.ts'
import type { AttemptError } from '#contract/sending.ts'
import { Abortable } from './abortable.ts'
import { Alarm } from './alarm.ts'
import { Connection } from './connection.ts'
import { Exchange, type Surroundings } from './exchange.ts'
import type { OwnPorts } from './own-ports.ts'
import { OwnSockets } from './own-sockets.ts'
import { Pool, poolKey } from './pool.ts'
import { asksToClose, faultOfRequest } from './request-bytes.ts'
import type { Wire, WireOutcome } from './wire.ts'

/** A connection that nobody uses is closed after so many milliseconds. */
const idleMs = 2000

/** Opens the sender's connections. `listener` tells where our own listener is now. */
export function createWire(ownPorts: OwnPorts, listener: () => string | null): Wire {
  const underWay = new Set<Exchange>()
  const abortable = new Abortable<Exchange>()
  const pool = new Pool()
  const own = new OwnSockets(ownPorts, listener)
  let closed = false

  const alarm = new Alarm((now) => {
    let next = Math.min(pool.sweep(now), own.sweep(now))
    for (const exchange of underWay) {
      exchange.tick(now)
      if (underWay.has(exchange)) next = Math.min(next, exchange.wakeAt)
    }
    return next
  })

  const around: Surroundings = {
    wakeBy: (time) => alarm.by(time),
    opened: (socket, incoming, exchange) => {
      const connection = new Connection(socket, incoming, exchange)
      const port = own.mark(socket, exchange.options.own)
      if (port !== null) {
        socket.once('close', () => {
          const until = own.unmark(port, connection.answered)
          if (until !== null) alarm.by(until)
        })
      }
      return connection
    },
    over: (exchange, connection, keepMs) => {
      underWay.delete(exchange)
      const { request, options } = exchange
      if (options.signal) abortable.remove(exchange, options.signal)
      const ms = Math.min(keepMs, idleMs)
      if (!connection) return
      if (ms > 0 && options.keepAlive && !closed && !asksToClose(request.headers)) {
        const until = performance.now() + ms
        pool.put(poolKey(request.url, options), connection, until)
        alarm.by(until)
      } else connection.destroy()
    },
  }

  return {
    exchange: (request, options) => {
      if (closed || options.signal?.aborted) return Promise.resolve(notSent(abortedFault))
      const fault = faultOfRequest(request)
      if (fault) return Promise.resolve(notSent({ code: 'invalid_request', message: fault }))
      return new Promise((resolve) => {
        const exchange = new Exchange(request, options, around, resolve)
        underWay.add(exchange)
        if (options.signal) abortable.add(exchange, options.signal)
        exchange.begin(options.keepAlive ? pool.take(poolKey(request.url, options)) : null)
      })
    },
    close: async () => {
      closed = true
      for (const exchange of underWay) exchange.abort()
      pool.close()
      alarm.stop()
    },
  }
}

/** Nothing went out. */
export function notSent(error: AttemptError): WireOutcome {
  return {
    answer: null,
    error,
    timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
    remoteAddress: null,
    reused: false,
    tlsVerified: null,
  }
}
