import type { SignatureReport, SignatureStep, Verdict } from '#contract/models.ts'
import { formatCount } from '#shared/text/format.ts'
import { namedKey, sign, verify } from '../payload/signature/verify.ts'

export interface SignatureReportInput {
  readonly body: Uint8Array
  readonly headerName: string
  readonly received: readonly string[]
  readonly secrets: readonly { readonly name: string; readonly secret: string }[]
  readonly recorded: Verdict
  readonly bodyWhole: boolean
}

/** Step by step, in the order of the API documentation, "Signature verification". */
export function signatureReport(input: SignatureReportInput): SignatureReport {
  const { body, headerName, received, secrets } = input
  const keys = secrets.map(({ name, secret }) => namedKey(name, secret))
  const { verdict, secretName, upperCase } = verify(body, received, keys)
  const computed = keys.map(({ name, key }) => {
    const signature = sign(body, key)
    return {
      secretName: name,
      signature,
      matches: received.some((value) => value.toLowerCase() === signature),
    }
  })
  const size = formatCount(body.byteLength)
  const steps: SignatureStep[] = [
    {
      label: 'Read the raw body',
      outcome: input.bodyWhole ? 'ok' : 'failed',
      detail: input.bodyWhole
        ? `${size} bytes, as received, before any decoding or parsing.`
        : `Only the first ${size} bytes were stored, so no signature can match.`,
    },
    {
      label: `Read the header ${headerName}`,
      outcome: received.length > 0 ? 'ok' : 'failed',
      detail:
        received.length === 0
          ? 'The header is missing.'
          : received.length === 1
            ? 'The header was received once.'
            : `The header was received ${received.length} times. Every value is checked.`,
    },
    {
      label: 'Compute HMAC-SHA256 of the body',
      outcome: keys.length > 0 ? 'ok' : 'skipped',
      detail:
        keys.length > 0
          ? `With ${keys.map(({ name }) => `the ${name} secret`).join(', then ')}, encoded as hex.`
          : 'This endpoint has no secret, so nothing can be computed.',
    },
    compareStep(verdict, secretName, upperCase),
  ]
  return {
    verdict,
    headerName,
    received: [...received],
    computed,
    bytes: body.byteLength,
    steps,
    changedSince: verdict !== input.recorded,
    ofLog: null,
  }
}

function compareStep(
  verdict: Verdict,
  secretName: string | null,
  upperCase: boolean,
): SignatureStep {
  const label = 'Compare, in constant time'
  switch (verdict) {
    case 'valid':
      return {
        label,
        outcome: 'ok',
        detail: `Equal with the ${secretName} secret${upperCase ? ', although the received value is upper case' : ''}.`,
      }
    case 'invalid':
      return { label, outcome: 'failed', detail: 'No received value matches a computed one.' }
    case 'missing':
      return { label, outcome: 'skipped', detail: 'A secret is set, but there is no signature.' }
    case 'unsigned':
      return { label, outcome: 'skipped', detail: 'No secret is set, and there is no signature.' }
    case 'unchecked':
      return {
        label,
        outcome: 'skipped',
        detail: 'There is a signature, but no secret to check it with.',
      }
  }
}
