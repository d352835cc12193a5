import { setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

// What remains of about 190 MiB after a flood, as measured on Linux:
// - 53 MiB are pages of Node's own program, which other Node processes share.
// - 26 MiB are the heap of the engine's thread, which loads every domain and zod.
// - 9 to 19 MiB are the heap of each other thread.
// - 50 to 60 MiB belong to the C allocator, which holds buffers and SQLite's caches, of up to 16 MiB for the writer and for each reader. It returns to
//   the system only what is free at the end of an area.

/**
 * Keeps the young generation of every thread of this process near its initial size, a few MiB with both halves. V8 would double it again and again
 * with what survives, up to 128 MiB in the engine's thread, and an idle thread never returns it. Nearly all that a flood allocates dies at once, so that larger
 * ones save no time. Call it when the process starts: the flag is read whenever V8 would enlarge a young generation, unlike `--max-semi-space-size`,
 * which is read when the heap is created, and so has no effect on the thread that sets it.
 */
export function limitYoungGenerations(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Limits of the old generation of each thread, in MiB; those of imports are in `event-logs/import/memory`. They are not targets: each is above what the
 * largest input needs, and ends a thread that leaks before it exhausts the computer. Bodies are outside of the heap, except where noted. The engine's own
 * thread has V8's default, because it can only be limited when the process starts.
 */
export const heapLimits = {
  /** Heads of up to 512 MiB of held requests (`CaptureLimits.heldBytes`) are objects, and 25 MiB of the smallest JSON values take 670 MiB. */
  capture: { maxOldGenerationSizeMb: 1024 },
  /** The records of a group without responses: 64 MiB in the journal, which is about five times as much in parsed metadata. */
  writer: { maxOldGenerationSizeMb: 512 },
  /** A body of 25 MiB that is decoded, parsed and compared in a diagnosis: those 670 MiB and more. */
  reader: { maxOldGenerationSizeMb: 2048 },
  /** Responses of targets, and bodies that are edited as JSON before they are sent. */
  sender: { maxOldGenerationSizeMb: 1024 },
  /** A body of 25 MiB that is parsed and redacted. */
  exporter: { maxOldGenerationSizeMb: 2048 },
  /** Connections; bodies are passed on in pieces. */
  tunnel: { maxOldGenerationSizeMb: 256 },
} as const satisfies Record<string, ResourceLimits>
