import type {
  ReceivedResponseOutput,
  SentRequestOutput,
} from '#contract/cli-output/authorization.ts'
import type { TimingsOutput } from '#contract/cli-output/common.ts'
import type { ReceivedAnswer, SentRequest, Timings } from '#contract/http.ts'
import { colored } from './output.ts'
import { visible } from '#shared/text/visible.ts'
import { roundMs } from './text.ts'

/** A request as `--json` prints it. */
export function requestOutput({ method, url, headers, body }: SentRequest): SentRequestOutput {
  return { method, url, headers, body }
}

/** A response as `--json` prints it. */
export function responseOutput(response: ReceivedAnswer): ReceivedResponseOutput {
  const { status, statusText, httpVersion, headers, body, bytes, truncated } = response
  return { status, statusText, httpVersion, headers, body, bytes, truncated }
}

/** The duration of each phase as `--json` prints it. */
export function timingsOutput(timings: Timings): TimingsOutput {
  const { dns, connect, tls, firstByte, total } = timings
  return {
    dnsMs: dns === null ? null : roundMs(dns),
    connectMs: connect === null ? null : roundMs(connect),
    tlsMs: tls === null ? null : roundMs(tls),
    firstByteMs: firstByte === null ? null : roundMs(firstByte),
    totalMs: roundMs(total),
  }
}

/** Headers as lines of `Name: value`. */
export function headerLines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${colored('cyan', visible(name))}: ${visible(value)}`)
}
