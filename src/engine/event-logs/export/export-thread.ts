import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../platform/errors.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import {
  cancel,
  type ExportTask,
  type ExportProgress,
  type FromExport,
  fromFailure,
  type ToExport,
} from './messages.ts'
import { handledLater } from '#shared/async/handled-later.ts'

export type ExportEnd =
  | { readonly kind: 'done'; readonly progress: ExportProgress }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: Error }

/** A cancelled thread may be stuck in a long SQL statement. */
const terminateAfterMs = 2000

export interface ExportThread {
  /** Resolves once the request is valid and the output is open. Rejects with the reason otherwise, with `run_over` if the export was cancelled first. */
  readonly started: Promise<void>
  /** Never rejects. An export that does not end with `done` leaves no file. */
  readonly ended: Promise<ExportEnd>
  consumed(bytes: number): void
  /** Resolves when the export has ended, whatever the result. */
  cancel(): Promise<ExportEnd>
}

export function startExport(
  entry: URL,
  task: Omit<ExportTask, 'cancelled'>,
  on: {
    readonly progress?: (progress: ExportProgress) => void
    readonly piece?: (bytes: Uint8Array) => void
  },
): ExportThread {
  const cancelled = new SharedArrayBuffer(4)
  const worker = new Worker(entry, { resourceLimits: heapLimits.exporter })
  const send = (message: ToExport): void => worker.postMessage(message)
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<ExportEnd>()
  // A caller may wait for `ended` only.
  handledLater(started.promise)
  let end: ExportEnd | null = null

  worker.on('message', (message: FromExport) => {
    switch (message.kind) {
      case 'started':
        started.resolve()
        break
      case 'progress':
        on.progress?.(message.progress)
        break
      case 'piece':
        on.piece?.(message.bytes)
        break
      case 'done':
      case 'cancelled':
        end = message
        break
      case 'failed':
        end = { kind: 'failed', error: fromFailure(message) }
        break
    }
  })
  worker.on('error', (error) => {
    end ??= { kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
  })
  worker.on('exit', () => void finish())

  const finish = async (): Promise<void> => {
    const last: ExportEnd = end ?? endWithoutReport(cancelled)
    const { to } = task
    if (last.kind !== 'done' && to.kind === 'file') {
      await rm(to.part, { force: true }).catch(() => undefined)
    }
    started.reject(last.kind === 'failed' ? last.error : cancelledEarly())
    ended.resolve(last)
  }

  send({ kind: 'begin', task: { ...task, cancelled } })
  return {
    started: started.promise,
    ended: ended.promise,
    consumed: (bytes) => send({ kind: 'consumed', bytes }),
    cancel: async () => {
      cancel(cancelled)
      send({ kind: 'stop' })
      const timer = setTimeout(() => void worker.terminate(), terminateAfterMs)
      try {
        return await ended.promise
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function endWithoutReport(cancelled: SharedArrayBuffer): ExportEnd {
  return Atomics.load(new Int32Array(cancelled), 0) === 1
    ? { kind: 'cancelled' }
    : { kind: 'failed', error: new Error('the export thread exited unexpectedly') }
}

function cancelledEarly(): AppError {
  return new AppError('run_over', 'The export was cancelled. Start it again.')
}
