import type { ListenerState } from '#contract/models.ts'
import type { Capture } from '../capture.ts'
import { AppError } from '../../../platform/errors.ts'
import { portHolder } from './port-owner.ts'
import { createServer } from 'node:net'
import { messageOf, systemCodeReason } from '#shared/text/errors.ts'

export interface Listening {
  state(): ListenerState
  /** Restarts if it listens on another port. Throws if the new port fails while the old one works; otherwise see the state. */
  start(port: number): Promise<ListenerState>
  /** Restarts the listener if its socket is dead (after sleep) or its port was in use. Never throws. */
  recheck(): Promise<void>
  /** Throws `listener_down`. */
  origin(): string
  /** `store`: deliveries are rejected with 503; `index`: filters do not find them yet. */
  setFailing(what: 'store' | 'index', reason: string | null): void
  stopped(): void
  died(): void
}

const consequences = {
  store: 'Deliveries cannot be stored and are rejected with 503',
  index: 'New deliveries are stored but not searchable yet',
} as const

const crashed =
  'The listener stopped because of an internal error. See the log for details. Restart Tabscope.'

function listenerDown(state: ListenerState): AppError {
  const message =
    state.state === 'failed' ? state.message : 'The listener is not running. Start it first.'
  return new AppError('listener_down', message, { retry: 'later' })
}

export function createListening(
  capture: Capture,
  changed: (state: ListenerState) => void,
): Listening {
  let state: ListenerState = { state: 'stopped', port: 0 }
  const reasons = new Map<keyof typeof consequences, string>()
  const failing = (): string | null => reasons.get('store') ?? reasons.get('index') ?? null
  const set = (next: ListenerState): ListenerState => {
    state = next
    changed(next)
    return next
  }
  const listen = async (port: number): Promise<ListenerState> => {
    set({ state: 'starting', port })
    const actualPort = await capture.api.call('listen', port)
    return set({
      state: 'listening',
      port: actualPort,
      origin: `http://127.0.0.1:${actualPort}`,
      since: Date.now(),
      failing: failing(),
    })
  }
  return {
    state: () => state,
    start: async (port) => {
      // Opening the same port again would fail with EADDRINUSE.
      if (state.state === 'listening' && port === state.port) return state
      const before = state
      try {
        return await listen(port)
      } catch (error) {
        const failed = await describeFailure(port, error)
        if (before.state === 'listening') {
          // The old port still works: keep it and report what is wrong with the new one.
          set(before)
          throw new AppError(failed.code, failed.message, {
            details: { port, freePort: failed.freePort },
            cause: error,
          })
        }
        return set(failed)
      }
    },
    recheck: async () => {
      const { state: now, port } = state
      // If the port is free, our socket is gone.
      const isGone = now === 'listening' && (await isFree(port))
      const wasTaken = state.state === 'failed' && state.code === 'port_in_use'
      if (!isGone && !wasTaken) return
      // Another start began during the check.
      if (state.state !== now || state.port !== port) return
      try {
        await listen(port)
      } catch (error) {
        set(await describeFailure(port, error))
      }
    },
    origin: () => {
      if (state.state === 'listening') return state.origin
      throw listenerDown(state)
    },
    setFailing: (what, reason) => {
      if (reason === null) reasons.delete(what)
      else reasons.set(what, `${consequences[what]}: ${reason}`)
      if (state.state !== 'listening' || state.failing === failing()) return
      set({ ...state, failing: failing() })
    },
    died: () => {
      set({ state: 'failed', port: state.port, code: 'internal', message: crashed, freePort: null })
    },
    stopped: () => {
      state = { state: 'stopped', port: state.port }
    },
  }
}

/** Explains the system's error and suggests the next free port. */
export async function describeFailure(
  port: number,
  error: unknown,
): Promise<Extract<ListenerState, { state: 'failed' }>> {
  // An error from another thread includes its stack; only the first line is for users.
  const text = messageOf(error).split('\n', 1)[0] ?? ''
  if (text.includes('EADDRINUSE')) {
    const [owner, freePort] = await Promise.all([portHolder(port), nextFreePort(port)])
    const by = owner ? `in use by ${owner}` : 'in use by another program'
    const instead = freePort === null ? 'Choose another port.' : `Port ${freePort} is free.`
    return {
      state: 'failed',
      port,
      code: 'port_in_use',
      message: `Port ${port} is ${by}. ${instead}`,
      freePort,
    }
  }
  if (text.includes('EACCES')) {
    return {
      state: 'failed',
      port,
      code: 'port_forbidden',
      message: `The operating system does not allow Tabscope to listen on port ${port}. Choose a port above 1023.`,
      freePort: await nextFreePort(Math.max(port, 4779)),
    }
  }
  return {
    state: 'failed',
    port,
    code: 'internal',
    message: `The listener could not start on port ${port}. ${systemCodeReason(/\bE[A-Z]{3,20}\b/.exec(text)?.[0] ?? '')} Or choose another port.`,
    freePort: null,
  }
}

/** Null if none of the next 100 ports is free. */
export async function nextFreePort(port: number): Promise<number | null> {
  for (let candidate = port + 1; candidate <= Math.min(port + 100, 65535); candidate += 1) {
    if (await isFree(candidate)) return candidate
  }
  return null
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
