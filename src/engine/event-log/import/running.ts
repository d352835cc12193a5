import { Worker } from 'node:worker_threads'
import { connectApi, type ThreadClient } from '../../threads/rpc.ts'
import { createTurn, type Turn } from '../../turn.ts'
import { mostHeap, tooMuchMemory } from './memory.ts'
import type { ImportApi, ImportThreadData } from './messages.ts'

/** One import while it goes on. */
export interface Running {
  readonly thread: Worker
  readonly api: ThreadClient<ImportApi>
  readonly part: string
  readonly over: PromiseWithResolvers<void>
  readonly fed: boolean
  /** Pieces one after the other, in the order in which they came. */
  readonly turn: Turn
  /** Pieces that it has not taken yet. */
  feeding: number
  /** The end of what is fed has come. */
  whole: boolean
  /** All is read, and it is taken among the logs: too late to cancel. */
  finishing: boolean
  /** It has ended; its thread and its files go. */
  ending: boolean
  callOff: (() => void) | null
}

/** Begins the thread of an import. */
export function startRunning(entry: URL, data: ImportThreadData): Running {
  const thread = new Worker(entry, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: mostHeap / 1024 / 1024 },
  })
  return {
    thread,
    api: connectApi<ImportApi>(thread),
    part: data.part,
    over: Promise.withResolvers(),
    fed: data.path === null,
    feeding: 0,
    turn: createTurn(),
    whole: false,
    finishing: false,
    ending: false,
    callOff: null,
  }
}

/** What a thread died of, in words. */
export function diedOf(error: Error): { code: string; message: string } {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  const message = `The file cannot be read: ${error.message}.`
  return { code: 'log_unreadable', message: isMemory ? tooMuchMemory().message : message }
}
