import type { Diagnosis } from '#contract/deliveries.ts'
import type { SignatureReport } from '#contract/models.ts'
import { signaturesOf } from '#engine/signature/received.ts'
import type { PageLog } from '../log/log.ts'
import { keptBody } from '../log/texts.ts'

/** The check as it was when the delivery came: there are no secrets here to check it with again. */
export function capturedReport(log: PageLog, id: number): SignatureReport {
  const { verdict, bytes } = log.row(id)
  const { fields } = log.content(id)
  const { body, bodyRedacted } = fields
  return {
    verdict,
    ...signaturesOf(fields),
    computed: [],
    bytes,
    steps: [],
    changedSince: false,
    ofLog: { bodyRedacted, omitted: 'omitted' in body ? body.omitted : null },
  }
}

/** Without secrets nothing can be tried but one that the reader gives, and that only on a body that is still as it came. */
export async function diagnose(
  log: PageLog,
  id: number,
  candidate: string | undefined,
): Promise<Diagnosis> {
  const { verdict } = log.row(id)
  const content = log.content(id)
  const { received } = signaturesOf(content.fields)
  const body = keptBody(content)
  const nothing: Diagnosis = {
    verdict,
    conclusion: content.fields.bodyRedacted
      ? 'Something was taken out of this body, so no signature can be checked against it again.'
      : 'This file has no secrets, so the causes cannot be tried here. What was found when it came is the verdict.',
    causes: [],
    tried: 0,
    exhaustive: true,
    candidate: null,
  }
  if (candidate === undefined || content.fields.bodyRedacted || body === null) return nothing
  const signature = await hmacHex(candidate, body)
  const matches = received.some((value) => value.trim().toLowerCase() === signature)
  return { ...nothing, tried: 1, candidate: matches ? 'matches' : 'differs' }
}

async function hmacHex(secret: string, body: Uint8Array): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
  const digest = await crypto.subtle.sign('HMAC', key, new Uint8Array(body))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
