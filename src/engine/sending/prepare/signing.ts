import { createHmac, randomBytes } from 'node:crypto'
import type { SignChoice } from '#contract/sending.ts'
import type { EndpointRoute } from '../../payload/endpoint.ts'
import { AppError } from '../../platform/errors.ts'
import { hmac, namedKey, type NamedKey } from '../../payload/signature/verify.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'

export interface Signature {
  readonly value: string
  readonly signing: 'signed' | 'broken'
  /** "current of Main"; null: a random one. */
  readonly secretName: string | null
}

/** By endpoint object, which is replaced after each change, so that no old secret stays. */
const keys = new WeakMap<EndpointRoute, readonly NamedKey[]>()

export function keysOf(endpoint: EndpointRoute | null): readonly NamedKey[] {
  if (!endpoint) return []
  const found = keys.get(endpoint)
  if (found) return found
  const made = endpoint.secrets.map(({ name, secret }) => namedKey(name, secret))
  keys.set(endpoint, made)
  return made
}

/** Null if the endpoint has no current secret or it cannot be unlocked. */
export function signCurrent(body: Uint8Array, endpoint: EndpointRoute | null): Signature | null {
  const found = keysOf(endpoint).find(({ name }) => name === 'current')
  if (!endpoint || !found) return null
  return {
    value: hmac(body, found.key),
    signing: 'signed',
    secretName: `current of ${endpoint.name}`,
  }
}

/** Creates a valid or deliberately broken signature. `ownId`: the endpoint if the choice names none. Throws `secret_unavailable`. */
export function signAs(
  body: Uint8Array,
  choice: Extract<SignChoice, { how: 'secret' | 'broken' }>,
  ownId: number | null,
  configuration: SenderConfiguration,
): Signature {
  const fault = choice.how === 'broken' ? choice.fault : null
  if (fault === 'other_secret') {
    return { value: signWithUnknownSecret(body), signing: 'broken', secretName: null }
  }
  const { key, secretName } = secretOf(choice.endpointId ?? ownId, choice.which, configuration)
  const valid = hmac(body, key.key)
  if (fault === null) return { value: valid, signing: 'signed', secretName }
  return { value: breakSignature(valid, fault), signing: 'broken', secretName }
}

function secretOf(
  endpointId: number | null,
  which: 'current' | 'previous',
  configuration: SenderConfiguration,
): { key: NamedKey; secretName: string } {
  const endpoint = configuration.endpoint(endpointId)
  if (!endpoint) {
    throw new AppError(
      'secret_unavailable',
      endpointId === null
        ? 'No endpoint is selected for the signature. Select one, or send without a signature.'
        : 'The endpoint whose secret was selected for the signature was deleted. Select another, or send without a signature.',
    )
  }
  const key = keysOf(endpoint).find(({ name }) => name === which)
  if (key) return { key, secretName: `${which} of ${endpoint.name}` }
  throw new AppError(
    'secret_unavailable',
    `The endpoint "${endpoint.name}" has no ${which} secret. Select another, or send without a signature.`,
  )
}

/** Constant while Tabscope runs, so that the preview matches what is sent. */
const unknownSecret = randomBytes(32)

function signWithUnknownSecret(body: Uint8Array): string {
  return createHmac('sha256', unknownSecret).update(body).digest('hex')
}

function breakSignature(valid: string, fault: 'digit' | 'base64' | 'prefix'): string {
  switch (fault) {
    case 'digit':
      return valid.slice(0, -1) + (valid.endsWith('0') ? '1' : '0')
    case 'base64':
      return Buffer.from(valid, 'hex').toString('base64')
    case 'prefix':
      return `sha256=${valid}`
  }
}
