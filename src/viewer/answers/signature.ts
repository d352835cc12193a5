import { headerName } from '#catalogue/headers.ts'
import type { Diagnosis } from '#contract/deliveries.ts'
import type { SignatureReport } from '#contract/models.ts'
import type { PageLog } from '../log/log.ts'
import { keptBody } from '../log/texts.ts'

function receivedOf(log: PageLog, id: number): { headerName: string; received: string[] } {
  const { fields } = log.content(id)
  const name = headerName(fields.brand, 'signature')
  const received = fields.headers
    .filter(([header]) => header.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value)
  return { headerName: name, received }
}

/** The check as it was when the delivery came: there are no secrets here to check it with again. */
export function capturedReport(log: PageLog, id: number): SignatureReport {
  const { verdict, secretName, bytes, arrival } = log.row(id)
  const { body, bodyRedacted } = log.content(id).fields
  const { headerName, received } = receivedOf(log, id)
  const size = bytes.toLocaleString('en')
  return {
    verdict,
    headerName,
    received,
    computed: [],
    bytes,
    steps: [
      {
        label: 'Take the raw body',
        outcome: arrival === 'complete' ? 'ok' : 'failed',
        detail:
          arrival === 'complete'
            ? `${size} bytes, as they came, before any decoding or parsing.`
            : 'It did not come whole, so no signature can match.',
      },
      {
        label: `Read the header ${headerName}`,
        outcome: received.length > 0 ? 'ok' : 'failed',
        detail: received.length === 0 ? 'It did not come.' : 'It came.',
      },
      {
        label: 'Compute and compare',
        outcome: verdict === 'valid' ? 'ok' : verdict === 'invalid' ? 'failed' : 'skipped',
        detail: `${words(verdict, secretName)} ${
          bodyRedacted
            ? 'It cannot be checked again: something was taken out of the body that stands here.'
            : 'That was checked when it came; this file has no secret to check it with again.'
        }`,
      },
    ],
    changedSince: false,
    ofLog: { bodyRedacted, omitted: 'omitted' in body ? body.omitted : null },
  }
}

function words(verdict: SignatureReport['verdict'], secretName: string | null): string {
  switch (verdict) {
    case 'valid':
      return `Equal under the ${secretName ?? 'configured'} secret.`
    case 'invalid':
      return 'No received value was equal to a computed one.'
    case 'missing':
      return 'A secret was set, but no signature came.'
    case 'unsigned':
      return 'No secret was set.'
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
  const { received } = receivedOf(log, id)
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
