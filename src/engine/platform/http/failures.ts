import { formatLimit, quoteForeign } from '#shared/text/format.ts'
import type { HttpFailureCode } from './http.ts'
import { systemCodeOf } from '#shared/text/errors.ts'

export interface Fault {
  readonly code: HttpFailureCode
  readonly message: string
}

/** There is no connection to the server. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure'
  readonly fault: Fault

  constructor(fault: Fault, cause?: unknown) {
    super(fault.message, { cause })
    this.fault = fault
  }
}

const addAuthority =
  'If your company, a proxy or you issued it, add the CA file in Settings > Network'

const tlsReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed. ${addAuthority}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate is signed by an authority that this computer does not trust. ${addAuthority}`,
  UNABLE_TO_GET_ISSUER_CERT: `its certificate is signed by an unknown authority. ${addAuthority}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate is signed by an unknown authority. ${addAuthority}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `it does not send its full certificate chain, or its certificate authority is unknown. ${addAuthority}`,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: "its certificate is not valid yet, or this computer's clock is behind",
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

const notTls = 'it does not use TLS on this port. Check whether the URL should start with http'
const oldTls = 'it supports only outdated, insecure versions of TLS'

/** For a failed handshake, only the message of OpenSSL is available. */
const handshakeReasons: readonly (readonly [words: string, reason: string])[] = [
  ['wrong version number', notTls],
  ['packet length too long', notTls],
  ['record layer failure', notTls],
  ['alert protocol version', oldTls],
  ['unsupported protocol', oldTls],
  ['certificate required', 'it asks for a client certificate'],
  ['handshake failure', 'it rejected the TLS handshake'],
]

/** `host:port`, always with the port. */
export function authorityOf(url: URL): string {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return `${url.hostname}:${port}`
}

export const abortedFault: Fault = { code: 'aborted', message: 'The request was cancelled.' }

/** `timeout`: milliseconds. `responding`: the response has begun. */
export function timeoutFault(url: URL, timeout: number, responding: boolean): Fault {
  const within = formatLimit(timeout)
  return {
    code: 'timeout',
    message: responding
      ? `The response of ${authorityOf(url)} was not complete after ${within}.`
      : `${authorityOf(url)} did not respond within ${within}.`,
  }
}

/** The error that the system would report, for cases in which Node reports none. */
export function connectionEnded(): Error {
  return Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' })
}

/** Explains an error of a socket, of TLS or of the parser. Never contains the path or query of the URL. */
export function faultOfError(error: Error, url: URL, responding: boolean): Fault {
  const at = authorityOf(url)
  const code = systemCodeOf(error)
  if (code.startsWith('HPE_')) return faultOfParser(code, at, responding)
  const tls = faultOfTls(code, error.message, at)
  if (tls) return tls
  switch (code) {
    case 'EAI_AGAIN':
      return {
        code: 'unresolved',
        message: `The name ${quoteForeign(url.hostname)} cannot be resolved: no DNS server responds. Check the network connection.`,
      }
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
    case 'EAI_FAIL':
      return {
        code: 'unresolved',
        message: `The name ${quoteForeign(url.hostname)} does not resolve. Check its spelling.`,
      }
    case 'ECONNREFUSED':
      return { code: 'refused', message: `Nothing listens at ${at}.` }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return cutOff(at, responding)
    case 'ETIMEDOUT':
    case 'ERR_SOCKET_CONNECTION_TIMEOUT':
      return {
        code: 'unreachable',
        message: `${at} does not respond. Check that it is running and reachable.`,
      }
    default:
      return {
        code: 'unreachable',
        message: `${at} cannot be reached${code === '' ? '' : ` (${code})`}.`,
      }
  }
}

function cutOff(at: string, responding: boolean): Fault {
  return {
    code: 'reset',
    message: responding
      ? `${at} closed the connection in the middle of its response.`
      : `${at} closed the connection before it responded.`,
  }
}

function faultOfParser(code: string, at: string, responding: boolean): Fault {
  if (code === 'HPE_INVALID_EOF_STATE') return cutOff(at, responding)
  return {
    code: 'malformed',
    message:
      code === 'HPE_HEADER_OVERFLOW'
        ? `The response headers of ${at} are larger than 256 KiB.`
        : `The response of ${at} is not valid HTTP (${code}).`,
  }
}

function faultOfTls(code: string, message: string, at: string): Fault | null {
  const known = Object.entries(tlsReasons).find(([of]) => of === code)?.[1]
  if (known) return { code: 'tls', message: `No secure connection to ${at}: ${known}.` }
  if (!/^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_)/.test(code)) return null
  const text = `${code} ${message}`.toLowerCase().replaceAll('_', ' ')
  const reason = handshakeReasons.find(([words]) => text.includes(words))?.[1]
  return {
    code: 'tls',
    message: reason
      ? `No secure connection to ${at}: ${reason}.`
      : `No secure connection to ${at} (${code}).`,
  }
}
