import { setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

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
} as const satisfies Record<string, ResourceLimits>
