import { AppError } from '../../platform/errors.ts'
import { messageOf, systemCodeOf } from '#shared/text/errors.ts'

// Why the relay cannot be used, as sentences.

/** Waiting does not help: somebody has to change something. */
export class RelayRefused extends AppError {
  constructor(message: string) {
    super('relay_failed', message)
  }
}

const outOfTime = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])
const otherAuthority = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
])

/** Of an attempt to connect to `server`, or of a connection that ended. */
export function connectionFailure(server: string, error: unknown): Error {
  const name = error instanceof Error ? error.name : ''
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = systemCodeOf(root) || systemCodeOf(error)
  const text = messageOf(error)
  if (name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError') {
    return new RelayRefused(
      `The relay at ${server} does not accept the key of this receiver. It may have been revoked: ask for a new receiver file.`,
    )
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new RelayRefused(
      `The certificate of ${server} is for another host name. Check the address of the relay.`,
    )
  }
  if (outOfTime.has(code)) {
    return new RelayRefused(
      `The certificate of ${server} is not valid at this time. Renew it, or set the clock of this computer.`,
    )
  }
  if (otherAuthority.has(code)) {
    return new RelayRefused(
      `The certificate of ${server} is not from the authority of this relay. Another server answers there, or the relay was created again: ask for a new receiver file.`,
    )
  }
  if (text.includes("'tls'") || text.includes('tls is not available')) {
    return new RelayRefused(
      `The server at ${server} does not use TLS, which is required for other computers. Turn it on in its nats.conf.`,
    )
  }
  return new Error(`The relay at ${server} cannot be reached (${code || text || 'no answer'}).`)
}

export function noStream(stream: string): string {
  return `The relay has no stream ${stream} yet. Run: tabscope relay check`
}

/** Of JetStream: of the server or the account, and of a stream, for any reason. */
const noResources = new Set([10_023, 10_047])
const full = /maximum (?:bytes|messages)|no space/

/** Of an answer to a message. `code`: `err_code` of JetStream. */
export function publishFailure(code: number, description: string): string {
  return noResources.has(code) || full.test(description)
    ? 'The relay is full. Allow it more space, or keep deliveries for a shorter time.'
    : `The relay did not store a delivery: ${description}.`
}
