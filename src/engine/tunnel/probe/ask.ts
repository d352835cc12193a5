import { randomBytes } from 'node:crypto'
import type { Header } from '#contract/models.ts'
import { tryDecode } from '../../api-console/try-decode.ts'
import { steadyClock } from '../../platform/clock.ts'
import { type HttpAnswer, HttpFailure } from '../../platform/http/http.ts'
import { sendRequest } from '../../platform/http/request.ts'
import {
  isEqual,
  type ProbeAnswer,
  probeHeader,
  probePath,
  proofOf,
  signProbe,
  newNonce,
  probeBody,
  type ProbeBody,
} from './format.ts'
import { z } from 'zod'

const AnswerText = z.object({
  tabscope: z.literal('probe'),
  nonce: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  outcome: z.enum(['whole', 'too_large', 'busy', 'broken']),
  limit: z.int(),
  proof: z.string(),
})

/** What the body of an answer says; `foreign`: it is one of a Tabscope, but not of one with this key; null: it is none. */
export function readAnswer(key: Uint8Array, body: Uint8Array): ProbeAnswer | 'foreign' | null {
  const parsed = AnswerText.safeParse(jsonOf(body))
  if (!parsed.success) return null
  const { proof, nonce, bytes, sha256, outcome, limit } = parsed.data
  const answer: ProbeAnswer = { nonce, bytes, sha256, outcome, limit }
  return isEqual(proofOf(key, answer), proof) ? answer : 'foreign'
}

/** Undefined: it is none. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** What came back from the public address. */
export type Heard = { readonly ms: number } & (
  | { readonly kind: 'ours'; readonly status: number; readonly answer: ProbeAnswer }
  /** An answer to another probe than this one. */
  | { readonly kind: 'stale'; readonly status: number }
  /** Another Tabscope, or one that was not shown our header. */
  | { readonly kind: 'tabscope'; readonly status: number }
  | { readonly kind: 'other'; readonly answer: HttpAnswer; readonly text: string }
  | { readonly kind: 'failure'; readonly failure: HttpFailure }
)

/** One probe on its way out. */
export interface Asked {
  readonly key: Uint8Array
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: readonly Header[]
  readonly body: ProbeBody | null
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Of an answer this much is read: ours are far smaller. */
const answerBytes = 64 * 1024
const nothing = probeBody(new Uint8Array())
/** What a Tabscope says of whatever it takes for a delivery without an endpoint. */
const recorded = 'Tabscope has recorded'

/** Where probes of this origin go; null: it is no address. */
export function probeUrl(origin: string): URL | null {
  const text = origin.replace(/(?<!\/)\/+$/, '') + probePath
  return URL.canParse(text) ? new URL(text) : null
}

/** Sends it over a connection of its own, follows nothing, and says what came. Never rejects. */
export async function ask(asked: Asked): Promise<Heard> {
  const { key, url, method, headers, timeout, signal } = asked
  const { content, sha256 } = asked.body ?? nothing
  const nonce = newNonce(steadyClock.now(), randomBytes(8))
  const begun = performance.now()
  const passed = (): number => performance.now() - begun
  const header = signProbe(key, { nonce, bytes: content.byteLength, sha256 })
  let answer: HttpAnswer
  try {
    answer = await sendRequest({
      method,
      url,
      headers: [...headers, ['Cache-Control', 'no-store'], [probeHeader, header]],
      body: asked.body && content,
      timeout,
      maxBytes: answerBytes,
      signal,
    })
  } catch (error) {
    if (error instanceof HttpFailure) return { kind: 'failure', failure: error, ms: passed() }
    throw error
  }
  const ms = passed()
  const decoded = await tryDecode(answer.body, answer.headers, answerBytes)
  const bytes = decoded.state === 'decoded' ? decoded.bytes : answer.body
  const { status } = answer
  const said = readAnswer(key, bytes)
  if (said === 'foreign') return { kind: 'tabscope', status, ms }
  if (said !== null) {
    return said.nonce === nonce
      ? { kind: 'ours', status, answer: said, ms }
      : { kind: 'stale', status, ms }
  }
  const text = Buffer.from(bytes).toString('utf8')
  if (text.includes(recorded)) return { kind: 'tabscope', status, ms }
  return { kind: 'other', answer, text, ms }
}
