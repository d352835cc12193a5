import { z } from 'zod'
import { isEqual, proofOf, type ProbeAnswer } from './format.ts'

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
