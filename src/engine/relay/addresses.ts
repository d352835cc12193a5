import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { isLoopback } from '#shared/text/address.ts'

/** `nats://127.0.0.1:4222`: it never leaves this computer. */
export function isOnLoopback(server: string): boolean {
  return URL.canParse(server) && isLoopback(new URL(server).hostname)
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname.replaceAll(/[[\]]/g, '') : ''
}

/** `ca`: PEM; null: the CAs that the system trusts. */
export interface TlsOptions {
  readonly ca?: string
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined
}

/** The client of NATS compares the certificate of a server that has only an IP address with `localhost`; this compares it with the addresses. */
export function tlsOptions({
  servers,
  ca,
}: {
  readonly servers: readonly string[]
  readonly ca: string | null
}): TlsOptions {
  return {
    ...(ca === null ? {} : { ca }),
    checkServerIdentity: (_, certificate) => {
      const errors = servers.map((server) => checkServerIdentity(hostOf(server), certificate))
      return errors.every(Boolean) ? errors[0] : undefined
    },
  }
}
