import { hasCredentials } from '#shared/text/address.ts'
import { messageOf, systemCodeOf } from '#shared/text/errors.ts'
import { maxMessageBytes } from './format.ts'

// Whether a server keeps what it acknowledges. Each answer is a sentence, or null: nothing is wrong.

export interface ServerInfo {
  readonly version: string
  readonly max_payload: number
}

/** 2.10.20 to 2.10.22 could lose a stream. */
const oldest = [2, 10, 23] as const
export const oldestServer = oldest.join('.')

export function versionProblem({ version }: { version: string }): string | null {
  const parts = version.split(/[.-]/).map(Number)
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? Number.NaN
    if (part > least) return null
    if (!(part >= least)) {
      return `The server is nats-server ${version}, which can lose deliveries that it acknowledged. Update it to ${oldestServer} or later.`
    }
  }
  return null
}

/** Room for the headers of a message. */
const headerBytes = 1024

export function payloadProblem({ max_payload: bytes }: ServerInfo): string | null {
  return bytes >= maxMessageBytes + headerBytes
    ? null
    : `The server accepts messages of at most ${bytes} bytes, and Tabscope needs ${maxMessageBytes + headerBytes}. Set max_payload: 1MB in its nats.conf.`
}

interface JetStreamConfig {
  /** Nanoseconds. */
  readonly sync_interval?: number
  readonly sync_always?: boolean
}

const nanosecondsPerSecond = 1e9

/** `monitor`: `http://127.0.0.1:8222`. `unknown`: it could not be asked. */
export async function syncProblem(
  monitor: string,
): Promise<{ problem: string | null; unknown: boolean }> {
  if (hasCredentials(monitor)) {
    const problem =
      'Whether the server syncs each message to its disk is unknown: the address of its monitoring port contains a user name or password. Remove it from the file.'
    return { problem, unknown: true }
  }
  let config: JetStreamConfig
  try {
    const response = await fetch(new URL('/jsz?config=true', monitor), {
      signal: AbortSignal.timeout(3000),
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by its use: what is not there is undefined
    config = ((await response.json()) as { config?: JetStreamConfig }).config ?? {}
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const why = systemCodeOf(cause) || messageOf(cause)
    return {
      problem: `Whether the server syncs each message to its disk is unknown: ${monitor} did not answer (${why}).`,
      unknown: true,
    }
  }
  if (config.sync_always === true) return { problem: null, unknown: false }
  const seconds = (config.sync_interval ?? 0) / nanosecondsPerSecond
  return {
    problem: `The server acknowledges deliveries before they are on its disk, and syncs it every ${seconds} s: a power failure would lose them. Set sync_interval: always in the jetstream block of its nats.conf.`,
    unknown: false,
  }
}
