import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

// What remains of about 175 MiB after a flood, as measured on Linux:
// - 57 MiB are pages of Node's own program, which other Node processes share.
// - 20 to 26 MiB are the heap of the engine's thread, which loads every domain and zod.
// - 8 to 9 MiB are the heap of each other thread.
// - 60 to 70 MiB belong to the C allocator, half of them since the start: buffers, compiled code, and SQLite's caches, of up to 16 MiB for the writer and for
//   each reader. It returns to the system only what is free at the end of an area.

const largestYoungGeneration = 16 * 1024 * 1024

/**
 * Limits the growth of the heaps of all threads until `endHeapGrowthLimits`. Call it whenever deliveries arrive, until it returns true.
 *
 * - V8 lets an old generation grow to several times what it needs before it collects its garbage. With the limit, it grows by half.
 * - V8 enlarges the young generation of this thread to 128 MiB in a flood, and an idle thread never returns that. The limit is set once it has reached
 *   its maximum; from the start of the process it would cost a fifth of the throughput. The other threads have limits of their own.
 *   `--max-semi-space-size` has no effect on a running thread.
 */
export function limitHeapGrowth(): boolean {
  setFlagsFromString('--heap-growing-percent=50')
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  if (space === undefined || space.space_size < largestYoungGeneration) return false
  setFlagsFromString('--semi-space-growth-factor=1')
  return true
}

/** Otherwise exports and imports after a flood would be slow. */
export function endHeapGrowthLimits(): void {
  setFlagsFromString('--heap-growing-percent=0')
  setFlagsFromString('--semi-space-growth-factor=2')
}

/**
 * Lets the next thread start with a young generation of 4 MiB for each half instead of 1 MiB: a thread that handles thousands of requests a second then
 * collects garbage a quarter as often. Call the returned function once the thread has started.
 */
export function startWithLargerYoungGeneration(): () => void {
  setFlagsFromString('--min-semi-space-size=4')
  return () => setFlagsFromString('--min-semi-space-size=0')
}

/**
 * Limits of the old generation of each thread, in MiB. Each is above what the largest input needs,
 * and ends a thread that leaks before it exhausts the computer; V8 may end the process instead. Bodies are outside of the heap, except where noted.
 * The engine's own thread has V8's default, because it can only be limited when the process starts.
 */
export const heapLimits = {
  /** Heads of up to 512 MiB of held requests (`CaptureLimits.heldBytes`) are objects, and 25 MiB of the smallest JSON values take 670 MiB. */
  capture: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2048 },
  /** A group, whose heads are objects; in the indexer's thread those 670 MiB while a body is indexed. */
  writer: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 2048 },
  /** A body of 25 MiB that is decoded, parsed and compared in a diagnosis: those 670 MiB and more. */
  reader: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 2048 },
  /** Responses of targets, and bodies that are edited as JSON before they are sent. */
  sender: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 2048 },
  /** A body of 25 MiB that is parsed and redacted. */
  exporter: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2048 },
  /** A HAR file of 64 MiB, all of it the smallest JSON values. */
  importer: { maxOldGenerationSizeMb: 2048 },
  /** Messages that wait for the writer, whose bodies are parsed. */
  relay: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2048 },
  /** Requests and responses of one case. */
  rehearsal: { maxOldGenerationSizeMb: 256 },
  /** Texts of calls; the memory of scripts is outside of the heap. The stack: see `stackBytes` in `scripts/sandbox`. */
  script: { maxOldGenerationSizeMb: 256, stackSizeMb: 16 },
  /** Connections; bodies are passed on in pieces. */
  tunnel: { maxOldGenerationSizeMb: 256 },
} as const satisfies Record<string, ResourceLimits>
