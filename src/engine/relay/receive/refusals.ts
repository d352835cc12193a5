import { AppError } from '../../platform/errors.ts'
import { connectionProblem, type ConnectionProblem } from '../connection-problem.ts'

// Why the relay cannot be used, as sentences.

/** Waiting does not help: somebody has to change something. */
export class RelayRefused extends AppError {
  constructor(message: string) {
    super('relay_failed', message)
  }
}

const refusals: Readonly<
  Record<Exclude<ConnectionProblem, 'unreachable'>, (server: string) => string>
> = {
  key: (server) =>
    `The relay at ${server} does not accept the key of this receiver. It may have been revoked: ask for a new receiver file.`,
  rights: (server) =>
    `The relay at ${server} does not grant the rights of a receiver to this key. Ask for a new receiver file.`,
  no_jetstream: (server) =>
    `The server at ${server} has no JetStream, so it is not a relay. Run: tabscope relay check`,
  no_tls: (server) =>
    `The server at ${server} does not use TLS, which is required for other computers. Turn it on in its nats.conf.`,
  certificate_name: (server) =>
    `The certificate of ${server} is for another host name. Check the address of the relay.`,
  certificate_time: (server) =>
    `The certificate of ${server} is not valid at this time. Renew it, or set the clock of this computer.`,
  certificate_authority: (server) =>
    `The certificate of ${server} is not from the authority of this relay. Another server answers there, or the relay was created again: ask for a new receiver file.`,
}

/** Of an attempt to connect to `server`, or of a connection that ended. */
export function connectionFailure(server: string, error: unknown): Error {
  const { problem, code } = connectionProblem(error)
  if (problem !== 'unreachable') return new RelayRefused(refusals[problem](server))
  return new Error(`The relay at ${server} cannot be reached${code === '' ? '' : ` (${code})`}.`)
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
