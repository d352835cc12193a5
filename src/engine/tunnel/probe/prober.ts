import { randomBytes } from 'node:crypto'
import type { TunnelProbe } from '#contract/tunnel.ts'
import { type ProbeResponse, probeUrl, sendProbe } from './send-probe.ts'
import { sha256Of } from './format.ts'
import { failureSentence, isPage, foreignResponseSentence } from './messages.ts'

/** Says whether something other than this Tabscope responded. */
export interface ProbeResult extends TunnelProbe {
  readonly code: 'probe_ok' | 'probe_failed' | 'other_answer'
}

/** Sends requests to the public URL as a sender would, and recognizes responses of this Tabscope. */
export interface Prober {
  /** Sends one signed request to `<origin>/hooks/_probe` over a new connection. Never rejects. */
  probe(origin: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult>
}

const bodyBytes = 200

/** `key`: the same as in the capture thread. */
export function createProber(key: Uint8Array): Prober {
  return {
    probe: async (origin, timeout, signal) => {
      const at = Date.now()
      const url = probeUrl(origin)
      if (url === null) {
        const reason = 'The public URL is invalid. Check it.'
        return { at, ok: false, durationMs: 0, reason, code: 'probe_failed' }
      }
      const body = randomBytes(bodyBytes)
      const response = await sendProbe({ key, url, body, timeout, signal })
      return { at, durationMs: response.ms, ...verdictOf(response, body, url) }
    },
  }
}

type Verdict = Pick<ProbeResult, 'ok' | 'code' | 'reason'>

const passed: Verdict = { ok: true, code: 'probe_ok', reason: null }

function failed(reason: string): Verdict {
  return { ok: false, code: 'probe_failed', reason }
}

function answeredByOther(reason: string): Verdict {
  return { ok: false, code: 'other_answer', reason }
}

function verdictOf(response: ProbeResponse, sent: Uint8Array, url: URL): Verdict {
  switch (response.kind) {
    case 'ours':
      return verdictOfOurs(response, sent)
    case 'stale':
      return failed(
        'The response belongs to an earlier probe, so something in between caches responses. Disable caching for /hooks/.',
      )
    case 'tabscope':
      return answeredByOther(
        'Another Tabscope responds at this URL, or something in between removes headers. Reopen the tunnel, under another name if necessary.',
      )
    case 'other': {
      const { answer, text } = response
      const isSuccess = answer.status >= 200 && answer.status < 300
      const reason = foreignResponseSentence(url, answer, text)
      return isSuccess && !isPage(answer, text) ? answeredByOther(reason) : failed(reason)
    }
    case 'failure':
      return failed(failureSentence(response.failure, url))
  }
}

function verdictOfOurs(
  { answer }: Extract<ProbeResponse, { kind: 'ours' }>,
  sent: Uint8Array,
): Verdict {
  const { byteLength } = sent
  switch (answer.outcome) {
    case 'whole':
      return answer.sha256 === sha256Of(sent) && answer.bytes === byteLength
        ? passed
        : failed(changedSentence(byteLength, answer.bytes))
    case 'too_large':
      return failed(
        'The request reached Tabscope, whose body limit rejected it. Raise it under Settings > Listener.',
      )
    case 'busy':
      return failed(
        'The request reached Tabscope, which was busy with too many large bodies. Try again later.',
      )
    case 'broken':
      return failed(
        `Only ${answer.bytes} of ${byteLength} bytes were received: something in between truncates bodies.`,
      )
  }
}

function changedSentence(sent: number, received: number): string {
  const how =
    sent === received
      ? `${received} bytes were received, but not the ones that were sent`
      : `${sent} bytes were sent and ${received} received`
  return `The body was changed in transit: ${how}. Signatures would not match. Something in between rewrites bodies (compresses, filters or decodes them): disable that for /hooks/.`
}
