import { formatLimit } from '#shared/text/format.ts'
import type { HttpFailureCode } from './http.ts'

/** What went wrong, for the code and the sentence of a failure. */
export interface Fault {
  readonly code: HttpFailureCode
  readonly message: string
}

const tlsReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority that signed its certificate is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority that signed its certificate is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'it does not send its full certificate chain, or its certificate authority is unknown',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock here is behind',
  CERT_REVOKED: 'its certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

const notTls = 'it does not speak TLS there. Perhaps the address should begin with http'
const oldTls = 'it speaks only versions of TLS that are no longer safe'

/** Of a failed handshake the system gives OpenSSL's words alone. */
const handshakeReasons: readonly (readonly [words: string, reason: string])[] = [
  ['wrong version number', notTls],
  ['packet length too long', notTls],
  ['record layer failure', notTls],
  ['alert protocol version', oldTls],
  ['unsupported protocol', oldTls],
  ['certificate required', 'it asks for a client certificate'],
  ['handshake failure', 'it refused the TLS handshake'],
]

/** `host:port` as it is named in sentences, the port always. */
export function authorityOf(url: URL): string {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return `${url.hostname}:${port}`
}

export const abortedFault: Fault = { code: 'aborted', message: 'The request was cancelled.' }

/** `timeout` in milliseconds. */
export function timeoutFault(url: URL, timeout: number, answering: boolean): Fault {
  const within = formatLimit(timeout)
  return {
    code: 'timeout',
    message: answering
      ? `The answer of ${authorityOf(url)} was not whole after ${within}.`
      : `${authorityOf(url)} did not answer within ${within}.`,
  }
}

/** As the system would say it, where Node says nothing of its own. */
export function connectionEnded(): Error {
  return Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' })
}

/** What an error of a socket, of TLS or of the parser means. Never with the address's path or query. */
export function faultOfError(error: Error, url: URL, answering: boolean): Fault {
  const at = authorityOf(url)
  const code = codeOf(error)
  if (code.startsWith('HPE_')) return faultOfParser(code, at, answering)
  const tls = faultOfTls(code, error.message, at)
  if (tls) return tls
  switch (code) {
    case 'EAI_AGAIN':
      return {
        code: 'unresolved',
        message: `The name ${url.hostname} cannot be resolved: no DNS server responds. Check the network connection.`,
      }
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
    case 'EAI_FAIL':
      return {
        code: 'unresolved',
        message: `The name ${url.hostname} does not resolve. Look at its spelling.`,
      }
    case 'ECONNREFUSED':
      return { code: 'refused', message: `Nothing listens at ${at}.` }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return cutOff(at, answering)
    case 'ETIMEDOUT':
    case 'ERR_SOCKET_CONNECTION_TIMEOUT':
      return { code: 'unreachable', message: `${at} does not answer at all. Is it reachable?` }
    default:
      return {
        code: 'unreachable',
        message: `${at} cannot be reached${code === '' ? '' : ` (${code})`}.`,
      }
  }
}

function cutOff(at: string, answering: boolean): Fault {
  return {
    code: 'reset',
    message: answering
      ? `${at} broke the connection in the middle of its answer.`
      : `${at} broke the connection before it answered.`,
  }
}

function faultOfParser(code: string, at: string, answering: boolean): Fault {
  if (code === 'HPE_INVALID_EOF_STATE') return cutOff(at, answering)
  return {
    code: 'malformed',
    message:
      code === 'HPE_HEADER_OVERFLOW'
        ? `The headers of the answer of ${at} are larger than 256 KiB.`
        : `What came from ${at} is not HTTP (${code}).`,
  }
}

function faultOfTls(code: string, message: string, at: string): Fault | null {
  const known = Object.entries(tlsReasons).find(([of]) => of === code)?.[1]
  if (known) return { code: 'tls', message: `No safe connection to ${at}: ${known}.` }
  if (!/^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_)/.test(code)) return null
  const said = `${code} ${message}`.toLowerCase().replaceAll('_', ' ')
  const reason = handshakeReasons.find(([words]) => said.includes(words))?.[1]
  return {
    code: 'tls',
    message: reason
      ? `No safe connection to ${at}: ${reason}.`
      : `No safe connection to ${at} (${code}).`,
  }
}

/** The stable code of a system, TLS or parser error; empty when it has none. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
