import type { ResourceLimits } from 'node:worker_threads'

/**
 * Limits of the heap of each thread that runs as long as Tabscope, in MiB. Without them, a flood makes V8 enlarge the young generation of every thread
 * to 48 MiB or more, which an idle thread never returns. The limit of the old generation is not a target: it is above what the largest input needs,
 * and ends a thread that leaks before it exhausts the computer. Bodies are outside of the heap, except where noted.
 */
export const heapLimits = {
  /** Heads of up to 512 MiB of held requests (`CaptureLimits.heldBytes`) are objects. */
  capture: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 },
  /** The records of a group without responses: 64 MiB in the journal, which is about five times as much in parsed metadata. */
  writer: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 },
  /** A body of 25 MiB that is decoded, parsed and compared in a diagnosis. */
  reader: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 2048 },
  /** Responses of targets, and bodies that are edited as JSON before they are sent. */
  sender: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 },
} as const satisfies Record<string, ResourceLimits>
