import { createHmac, randomBytes } from 'node:crypto'
import type { SignChoice } from '#contract/sending.ts'
import type { EndpointRoute } from '../../capture/messages.ts'
import { AppError } from '../../platform/errors.ts'
import { hmac, namedKey, type NamedKey } from '../../signature/verify.ts'
import type { SenderConfiguration } from '../sender-configuration.ts'

/** A signature to be sent. */
export interface Made {
  readonly value: string
  readonly signing: 'signed' | 'broken'
  /** "current of Main"; null: a random one. */
  readonly secretName: string | null
}

/** An endpoint is another object after each change of it, so that no old secret can stay. */
const keys = new WeakMap<EndpointRoute, readonly NamedKey[]>()

/** The secrets of an endpoint, ready to sign and check with. */
export function keysOf(endpoint: EndpointRoute | null): readonly NamedKey[] {
  if (!endpoint) return []
  const found = keys.get(endpoint)
  if (found) return found
  const made = endpoint.secrets.map(({ name, secret }) => namedKey(name, secret))
  keys.set(endpoint, made)
  return made
}

/** Signs with the endpoint's secret of now; null: it has none, or it cannot be opened. */
export function signCurrent(body: Uint8Array, endpoint: EndpointRoute | null): Made | null {
  const found = keysOf(endpoint).find(({ name }) => name === 'current')
  if (!endpoint || !found) return null
  return {
    value: hmac(body, found.key),
    signing: 'signed',
    secretName: `current of ${endpoint.name}`,
  }
}

/** Signs as asked for, rightly or wrongly. `ownId`: the endpoint that counts where none is named. Throws `secret_unavailable`. */
export function signAs(
  body: Uint8Array,
  choice: Extract<SignChoice, { how: 'secret' | 'broken' }>,
  ownId: number | null,
  world: SenderConfiguration,
): Made {
  const fault = choice.how === 'broken' ? choice.fault : null
  if (fault === 'other_secret') {
    return { value: otherSecret(body), signing: 'broken', secretName: null }
  }
  const { key, secretName } = secretOf(choice.endpointId ?? ownId, choice.which, world)
  const right = hmac(body, key.key)
  if (fault === null) return { value: right, signing: 'signed', secretName }
  return { value: spoil(right, fault), signing: 'broken', secretName }
}

function secretOf(
  endpointId: number | null,
  which: 'current' | 'previous',
  world: SenderConfiguration,
): { key: NamedKey; secretName: string } {
  const endpoint = world.endpoint(endpointId)
  if (!endpoint) {
    throw new AppError(
      'secret_unavailable',
      endpointId === null
        ? 'There is no endpoint whose secret could sign. Choose one, or send without a signature.'
        : 'The endpoint whose secret signs the request was deleted. Select another, or send without a signature.',
    )
  }
  const key = keysOf(endpoint).find(({ name }) => name === which)
  if (key) return { key, secretName: `${which} of ${endpoint.name}` }
  throw new AppError(
    'secret_unavailable',
    `The endpoint "${endpoint.name}" has no ${which} secret. Select another, or send without a signature.`,
  )
}

/** One for as long as Tabscope runs: what is shown before is what is sent. */
const stranger = randomBytes(32)

function otherSecret(body: Uint8Array): string {
  return createHmac('sha256', stranger).update(body).digest('hex')
}

function spoil(right: string, fault: 'digit' | 'base64' | 'prefix'): string {
  switch (fault) {
    case 'digit':
      return right.slice(0, -1) + (right.endsWith('0') ? '1' : '0')
    case 'base64':
      return Buffer.from(right, 'hex').toString('base64')
    case 'prefix':
      return `sha256=${right}`
  }
}
