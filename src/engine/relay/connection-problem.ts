import { errors } from '@nats-io/transport-node'
import { messageOf, systemCodeOf } from '#shared/text/errors.ts'

/** Why a server cannot be used. Except for `unreachable`, somebody has to change something. */
export type ConnectionProblem =
  | 'key'
  | 'rights'
  | 'no_jetstream'
  | 'no_tls'
  | 'certificate_name'
  | 'certificate_time'
  | 'certificate_authority'
  | 'unreachable'

const byClass = [
  [errors.PermissionViolationError, 'rights'],
  [errors.AuthorizationError, 'key'],
  [errors.UserAuthenticationExpiredError, 'key'],
  [errors.NoRespondersError, 'no_jetstream'],
] as const

const certificate = /CERT|SIGNATURE|ISSUER|INVALID_CA/

/** `code`: of the system or of TLS; empty: none. Messages of the client are not passed on, since they may have a secret. */
export function connectionProblem(error: unknown): { problem: ConnectionProblem; code: string } {
  const causes = causesOf(error)
  const code = causes.map(systemCodeOf).find(Boolean) ?? ''
  const known = byClass.find(([kind]) => causes.some((each) => each instanceof kind))
  if (known) return { problem: known[1], code }
  if (code.includes('ALTNAME')) return { problem: 'certificate_name', code }
  if (/EXPIRED|NOT_YET_VALID/.test(code)) return { problem: 'certificate_time', code }
  if (certificate.test(code)) return { problem: 'certificate_authority', code }
  const noTls = causes.some((each) => /'tls'|tls is not available/.test(messageOf(each)))
  return { problem: noTls ? 'no_tls' : 'unreachable', code }
}

function causesOf(error: unknown): Error[] {
  const found: Error[] = []
  for (let each = error; each instanceof Error && found.length < 10; each = each.cause) {
    found.push(each)
  }
  return found
}
