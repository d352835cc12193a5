import type { DesignedRequest, RequestBuilder } from '#catalogue/rehearsal/define.ts'
import type { RehearsalOptions, RehearsalRequest } from '#contract/rehearsal.ts'
import type { Judgement, Received } from './judge.ts'

/** A response with what it must not contain. */
export interface KeptResponse extends Received {
  readonly caseId: string
  /** Head and body, at most 64 KiB. */
  readonly text: string
  readonly validSignature: string
}

export interface Sent extends Received {
  readonly request: Omit<RehearsalRequest, 'caseId' | 'variant' | 'repetition'>
  readonly response: Omit<KeptResponse, keyof Received | 'caseId' | 'validSignature'>
}

export function keptResponse(
  caseId: string,
  { headers, body }: DesignedRequest,
  { request: _request, response, ...received }: Sent,
  builder: RequestBuilder,
): KeptResponse {
  const signature = builder.sign(body)
  // The response may contain a signature that was sent.
  const isKnown = headers.some(([, value]) => value === signature)
  return { ...response, ...received, caseId, validSignature: isKnown ? '' : signature }
}

const slowMs = 5000
const hardLimitMs = 15_000

const stackTraces: readonly RegExp[] = [
  // Node.js, Python, Java and C#, Ruby, Go, PHP.
  /\n[ \t]{1,8}at [^\n]{1,300}:\d{1,7}:\d{1,7}/,
  /Traceback \(most recent call last\)/,
  /\n[ \t]{1,8}at [\w.$<>]{1,200}\([\w.]{1,200}:\d{1,7}\)/,
  /\.rb:\d+:in [`']/,
  /goroutine \d+ \[/,
  /PHP (?:Fatal|Parse) error|Stack trace:\n#0/,
]

interface JudgedResponses extends Judgement {
  readonly received: string
  readonly caseId?: string
}

function leak(what: string, { caseId, status }: KeptResponse): JudgedResponses {
  return {
    caseId,
    result: 'fail',
    reason: `The response to ${caseId} contains ${what}.`,
    received: `${status ?? 'no status'} to ${caseId}`,
  }
}

/** Cases that judge the responses of all others, by ID. */
export const responseJudges: Readonly<
  Record<
    string,
    (
      responses: readonly KeptResponse[],
      run: Pick<RehearsalOptions, 'requestTimeout'> & { secret: string | null },
    ) => JudgedResponses
  >
> = {
  S14: (responses, { secret }) => {
    for (const response of responses) {
      const text = response.text.toLowerCase()
      if (secret !== null && secret.length >= 6 && response.text.includes(secret)) {
        return leak('the secret', response)
      }
      if (response.validSignature !== '' && text.includes(response.validSignature)) {
        return leak('the expected signature', response)
      }
      if (stackTraces.some((pattern) => pattern.test(response.text))) {
        return leak('a stack trace', response)
      }
    }
    return { result: 'pass', reason: null, received: `${responses.length} responses` }
  },
  T8: (responses, { requestTimeout }) => {
    const hardLimit = Math.min(hardLimitMs, requestTimeout)
    const sorted = responses
      .filter(({ stopped }) => !stopped)
      .toSorted((a, b) => a.durationMs - b.durationMs)
    const p95 = sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)]?.durationMs ?? 0
    const { caseId = 'P1', durationMs: longest = 0 } = sorted.at(-1) ?? {}
    const received = `p95 ${Math.round(p95)} ms, longest ${Math.round(longest)} ms`
    const redirected = responses.find(
      ({ status }) => status !== null && status >= 300 && status < 400,
    )
    if (redirected) {
      const reason = `The response to ${redirected.caseId} is a redirect, ${redirected.status}.`
      return { result: 'fail', reason, received, caseId: redirected.caseId }
    }
    if (longest >= hardLimit) {
      const reason = `A response took ${Math.round(longest)} ms. The limit is ${hardLimit} ms.`
      return { result: 'fail', reason, received, caseId }
    }
    if (p95 >= slowMs) {
      const reason = `95 % of the responses take up to ${Math.round(p95)} ms. Respond within ${slowMs} ms.`
      return { result: 'warn', reason, received, caseId }
    }
    return { result: 'pass', reason: null, received }
  },
}
