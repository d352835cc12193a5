import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { connect, errors, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { isLoopback } from '#shared/text/address.ts'
import { messageOf, systemCodeOf } from '#shared/text/errors.ts'
import { AppError } from '../../platform/errors.ts'

/** What a connection needs. The seed stays inside the process. */
export interface Access {
  /** `tls://relay.example.com:4222` */
  readonly servers: readonly string[]
  /** An nkey seed. Null: the server needs none. */
  readonly seed: string | null
  /** PEM: only certificates of this CA are accepted. Null: those that the system trusts. */
  readonly ca: string | null
}

export interface Client {
  /** Of the connection, for the monitoring port. */
  readonly name: string
  /** Whose key it is, within a sentence: "this receiver". */
  readonly who: string
  /** A sentence: what to do if the relay refuses the key, or is another server. */
  readonly advice: string
}

/** Why a relay cannot be used, as a sentence. `refused`: waiting does not help, somebody has to change something. */
export class RelayFailure extends AppError {
  readonly state: 'offline' | 'refused'

  constructor(state: 'offline' | 'refused', message: string, cause?: unknown) {
    super('relay_failed', message, { cause })
    this.state = state
  }
}

const { NoRespondersError: NoResponders } = errors
const connectMs = 5000
/** Finds a server that hangs, and a connection that is dead without having ended: the second ping without an answer ends it. */
const pingMs = 5000

/**
 * To the first of the servers that answers. It does not reconnect by itself: whoever uses it checks the relay again, and reads on from what is stored. `shown` gets the
 * certificate of the server. Throws `RelayFailure`.
 */
export async function openConnection(
  access: Access,
  client: Client,
  shown?: (certificate: PeerCertificate) => void,
): Promise<NatsConnection> {
  const isPlain = access.servers.every((server) => server.startsWith('nats://'))
  if (isPlain && !access.servers.every(isOnLoopback)) {
    throw new RelayFailure(
      'refused',
      `The relay has no TLS: an address outside of this computer must start with tls://. ${client.advice}`,
    )
  }
  try {
    return await connect({
      name: client.name,
      servers: [...access.servers],
      timeout: connectMs,
      reconnect: false,
      ignoreClusterUpdates: true,
      pingInterval: pingMs,
      maxPingOut: 1,
      tls: isPlain ? null : tlsOptions(access, shown),
      ...(access.seed === null
        ? {}
        : { authenticator: nkeyAuthenticator(new TextEncoder().encode(access.seed)) }),
    })
  } catch (error) {
    throw failureOf(error, access, client)
  }
}

function isOnLoopback(server: string): boolean {
  return isLoopback(hostOf(server))
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname.replaceAll(/[[\]]/g, '') : ''
}

interface TlsOptions {
  readonly ca?: string
  readonly minVersion: string
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined
}

/** The client of NATS compares the certificate of a server that has only an IP address with `localhost`; this compares it with the addresses. */
export function tlsOptions(
  { servers, ca }: Pick<Access, 'servers' | 'ca'>,
  shown?: (certificate: PeerCertificate) => void,
): TlsOptions {
  return {
    ...(ca === null ? {} : { ca }),
    minVersion: 'TLSv1.3',
    checkServerIdentity: (_: string, certificate: PeerCertificate) => {
      shown?.(certificate)
      const problems = servers.map((server) => checkServerIdentity(hostOf(server), certificate))
      return problems.every(Boolean) ? problems[0] : undefined
    },
  }
}

/** Of an attempt to connect, of a connection that ended, or of a request. Messages of the client are not passed on, since they may have a secret. */
export function failureOf(
  error: unknown,
  { servers }: Pick<Access, 'servers'>,
  { who, advice }: Pick<Client, 'who' | 'advice'>,
): RelayFailure {
  if (error instanceof RelayFailure) return error
  const where = servers.join(', ')
  const causes = causesOf(error)
  const code = causes.map(systemCodeOf).find(Boolean) ?? ''
  const refused = refusal(causes, code, where, who)
  // While the server reads its configuration again, nothing answers either.
  const state = causes.some((cause) => cause instanceof NoResponders) ? 'offline' : 'refused'
  if (refused !== null) return new RelayFailure(state, `${refused} ${advice}`, error)
  return new RelayFailure(
    'offline',
    `The relay at ${where} is not reachable${code === '' ? '' : ` (${code})`}. Check the network, and whether its server runs.`,
    error,
  )
}

/** A sentence. Null: it may be reachable later. */
function refusal(
  causes: readonly Error[],
  code: string,
  where: string,
  who: string,
): string | null {
  for (const cause of causes) {
    if (
      cause instanceof errors.AuthorizationError ||
      cause instanceof errors.UserAuthenticationExpiredError
    ) {
      return `The relay at ${where} refused the key of ${who}: it is unknown, or was revoked or replaced.`
    }
    if (cause instanceof NoResponders) {
      return `The key of ${who} may not use ${cause.subject} on the relay at ${where}, or that is no relay.`
    }
    if (/'tls'|tls is not available/.test(messageOf(cause))) {
      return `The server at ${where} has no TLS, so it is not the relay.`
    }
  }
  if (code.includes('ALTNAME')) return `The certificate of ${where} is for another name.`
  if (/EXPIRED|NOT_YET_VALID/.test(code)) {
    return `The certificate of ${where} is not valid at this time. Check the clock.`
  }
  return /CERT|SIGNATURE|ISSUER|INVALID_CA/.test(code)
    ? `The certificate of ${where} is not of the CA of this relay: it may be another server.`
    : null
}

export function causesOf(error: unknown): Error[] {
  const found: Error[] = []
  for (let each = error; each instanceof Error && found.length < 10; each = each.cause) {
    found.push(each)
  }
  return found
}
