import type { ListenerState } from '#contract/models.ts'
import type { Capture } from '../capture.ts'
import { AppError } from '../../platform/errors.ts'
import { portHolder } from './port-owner.ts'
import { createServer } from 'node:net'

export interface Listening {
  state(): ListenerState
  /** Listens on the port, beginning anew when it listens already. Never throws: what went wrong is in the state. */
  start(port: number): Promise<ListenerState>
  /** Whether it is still there, as after a sleep: begins anew where its socket has died, or where its port was taken. Never throws. */
  look(): Promise<void>
  /** The origin of the listener. Throws `listener_down`. */
  origin(): string
  /** `journal`: deliveries are refused with 503; `store`: they are kept, but not shown yet; `index`: filters do not find them yet. */
  setFailing(what: 'journal' | 'store' | 'index', reason: string | null): void
  stopped(): void
  /** The thread that listened has died. */
  died(): void
}

const consequences = {
  journal: 'Deliveries cannot be stored and get a 503 response',
  store: 'Deliveries are captured, but not shown until the store can be written',
  index: 'New deliveries are stored, but text filters do not find them yet',
} as const

/** Keeps the listener's state, and says it on every change. */
export function createListening(
  capture: Capture,
  changed: (state: ListenerState) => void,
): Listening {
  let state: ListenerState = { state: 'stopped', port: 0 }
  const reasons = new Map<keyof typeof consequences, string>()
  /** The worst of them. */
  const failing = (): string | null =>
    reasons.get('journal') ?? reasons.get('store') ?? reasons.get('index') ?? null
  const set = (next: ListenerState): ListenerState => {
    state = next
    changed(next)
    return next
  }
  const listen = async (port: number): Promise<ListenerState> => {
    set({ state: 'starting', port })
    const got = await capture.api.call('listen', port)
    return set({
      state: 'listening',
      port: got,
      origin: `http://127.0.0.1:${got}`,
      since: Date.now(),
      failing: failing(),
    })
  }
  return {
    state: () => state,
    start: async (port) => {
      // Moving to the port that is in use by ourselves would find it taken.
      if (state.state === 'listening' && port === state.port) return state
      const before = state
      try {
        return await listen(port)
      } catch (error) {
        const failed = await describeFailure(port, error)
        if (before.state === 'listening') {
          // The old one still listens: keep it, and let the caller say what is wrong with the new port.
          set(before)
          throw new AppError(failed.code, failed.message, {
            details: { port, freePort: failed.freePort },
            cause: error,
          })
        }
        return set(failed)
      }
    },
    look: async () => {
      const { state: now, port } = state
      // Our own socket holds it, or nobody's does.
      const isGone = now === 'listening' && (await isFree(port))
      const wasTaken = state.state === 'failed' && state.code === 'port_in_use'
      if (!isGone && !wasTaken) return
      // Somebody else has begun meanwhile.
      if (state.state !== now || state.port !== port) return
      try {
        await listen(port)
      } catch (error) {
        set(await describeFailure(port, error))
      }
    },
    origin: () => {
      if (state.state === 'listening') return state.origin
      throw new AppError(
        'listener_down',
        state.state === 'failed' ? state.message : 'The listener is not running. Start it first.',
        { retry: 'later' },
      )
    },
    setFailing: (what, reason) => {
      if (reason === null) reasons.delete(what)
      else reasons.set(what, `${consequences[what]}: ${reason}`)
      if (state.state !== 'listening' || state.failing === failing()) return
      set({ ...state, failing: failing() })
    },
    died: () => {
      set({
        state: 'failed',
        port: state.port,
        code: 'internal',
        message:
          'The listener has ended by a fault of Tabscope; the log has more. Start Tabscope again.',
        freePort: null,
      })
    },
    stopped: () => {
      state = { state: 'stopped', port: state.port }
    },
  }
}

/** Why a port cannot be listened on, in words, with the next one that can: from the system's error. */
export async function describeFailure(
  port: number,
  error: unknown,
): Promise<Extract<ListenerState, { state: 'failed' }>> {
  // An error that crossed a thread brings its stack along; its first line is for people.
  const text = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
  if (text.includes('EADDRINUSE')) {
    const [holder, freePort] = await Promise.all([portHolder(port), nextFreePort(port)])
    const by = holder ? `taken by ${holder}` : 'used by another program'
    const instead = freePort === null ? 'Choose another.' : `Port ${freePort} is free.`
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
      message: `The system does not let Tabscope listen on port ${port}. Choose one above 1023.`,
      freePort: await nextFreePort(Math.max(port, 4779)),
    }
  }
  return {
    state: 'failed',
    port,
    code: 'internal',
    message: `The listener could not start on port ${port}: ${text}`,
    freePort: null,
  }
}

/** The next port after `port` that can be listened on now; null when none of the next hundred can. */
export async function nextFreePort(port: number): Promise<number | null> {
  for (let candidate = port + 1; candidate <= Math.min(port + 100, 65535); candidate += 1) {
    if (await isFree(candidate)) return candidate
  }
  return null
}

/** Whether nobody listens on it on the loopback interface. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
