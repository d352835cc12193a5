import { setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

/**
 * Keeps the young generation of every thread of this process at its initial size, 2 MiB with both halves. V8 would double it with the garbage that
 * survives, up to 128 MiB in the engine's thread, and an idle thread never returns it. Nearly all that a flood allocates dies at once, so that larger
 * ones save no time. Call it when the process starts: the flag is read whenever V8 would enlarge a young generation, unlike `--max-semi-space-size`,
 * which is read when the heap is created, and so has no effect on the thread that sets it.
 */
export function limitYoungGenerations(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Limits of the old generation of each thread, in MiB; those of imports are in `event-logs/import/memory`. They are not targets: each is above what the
 * largest input needs, and ends a thread that leaks before it exhausts the computer. Bodies are outside of the heap, except where noted. The engine's own
 * thread has V8's default, because it can only be limited when the process starts: it passes bodies on without parsing them.
 */
export const heapLimits = {
  /** Heads of up to 512 MiB of held requests (`CaptureLimits.heldBytes`) are objects. */
  capture: { maxOldGenerationSizeMb: 1024 },
  /** The records of a group without responses: 64 MiB in the journal, which is about five times as much in parsed metadata. */
  writer: { maxOldGenerationSizeMb: 512 },
  /** A body of 25 MiB that is decoded, parsed and compared in a diagnosis. */
  reader: { maxOldGenerationSizeMb: 2048 },
  /** Responses of targets, and bodies that are edited as JSON before they are sent. */
  sender: { maxOldGenerationSizeMb: 1024 },
  /** A body of 25 MiB that is parsed and redacted. */
  exporter: { maxOldGenerationSizeMb: 2048 },
  /** Connections; bodies are passed on in pieces. */
  tunnel: { maxOldGenerationSizeMb: 256 },
} as const satisfies Record<string, ResourceLimits>
