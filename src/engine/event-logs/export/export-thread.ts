import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { AppError, fromWire } from '../../platform/errors.ts'
import {
  cancel,
  type ExportOrder,
  type ExportProgress,
  type FromExport,
  type ToExport,
} from './messages.ts'

/** How an export ended. */
export type ExportEnd =
  | { readonly kind: 'done'; readonly told: ExportProgress }
  | { readonly kind: 'cancelled' }
  /** An `AppError`, or a fault of ours. */
  | { readonly kind: 'failed'; readonly error: Error }

/** A thread that hangs in a long statement is ended after so long, in milliseconds. */
const patienceMs = 2000

/** One export that goes on in a thread of its own, as whoever began it sees it. */
export interface ExportThread {
  /** Fulfilled once what was asked for can be done; rejected with why it cannot, `run_over` where it was cancelled before. */
  readonly begun: Promise<void>
  /** Never rejected. Whatever did not end `done` has left no file. */
  readonly ended: Promise<ExportEnd>
  taken(bytes: number): void
  /** Until then it goes on, in milliseconds of the clock of `messages.ts`. */
  goOnUntil(at: number): void
  /** Resolves when it has ended, however. */
  cancel(): Promise<ExportEnd>
}

/** Starts the thread. `on` is told how far it is, and given the pieces of an export that goes to `pieces`. */
export function startExport(
  entry: URL,
  order: Omit<ExportOrder, 'cancelled'>,
  on: {
    readonly progress?: (told: ExportProgress) => void
    readonly piece?: (bytes: Uint8Array) => void
  },
): ExportThread {
  const cancelled = new SharedArrayBuffer(4)
  const worker = new Worker(entry)
  const tell = (message: ToExport): void => worker.postMessage(message)
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<ExportEnd>()
  // Whoever waits for the one need not wait for the other.
  begun.promise.catch(() => undefined)
  let end: ExportEnd | null = null

  worker.on('message', (message: FromExport) => {
    switch (message.kind) {
      case 'begun':
        begun.resolve()
        break
      case 'progress':
        on.progress?.(message.told)
        break
      case 'piece':
        on.piece?.(message.bytes)
        break
      case 'done':
      case 'cancelled':
        end = message
        break
      case 'failed':
        end = {
          kind: 'failed',
          error:
            'unforeseen' in message.error
              ? new Error(message.error.unforeseen)
              : fromWire(message.error),
        }
        break
    }
  })
  worker.on('error', (error) => {
    end ??= { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
  })
  worker.on('exit', () => void leave())

  const leave = async (): Promise<void> => {
    const last: ExportEnd = end ?? wasCancelled(cancelled)
    const { to } = order
    if (last.kind !== 'done' && to.kind === 'file') {
      await rm(to.part, { force: true }).catch(() => undefined)
    }
    begun.reject(last.kind === 'failed' ? last.error : cancelledEarly())
    ended.resolve(last)
  }

  tell({ kind: 'begin', order: { ...order, cancelled } })
  return {
    begun: begun.promise,
    ended: ended.promise,
    taken: (bytes) => tell({ kind: 'taken', bytes }),
    goOnUntil: (at) => tell({ kind: 'until', at }),
    cancel: async () => {
      cancel(cancelled)
      tell({ kind: 'stop' })
      const timer = setTimeout(() => void worker.terminate(), patienceMs)
      try {
        return await ended.promise
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function wasCancelled(cancelled: SharedArrayBuffer): ExportEnd {
  return Atomics.load(new Int32Array(cancelled), 0) === 1
    ? { kind: 'cancelled' }
    : { kind: 'failed', error: new Error('the thread of an export has ended') }
}

function cancelledEarly(): AppError {
  return new AppError('run_over', 'The export was cancelled. Begin it again.')
}
