import { SandboxError } from '../errors.ts'

export const faults = [
  'slow',
  'server_error',
  'malformed_json',
  'wrong_state',
  'code_twice',
  'missing_fields',
  'no_token',
  'no_refresh_token',
  'snake_case',
  'not_bearer',
  'expired',
  'milliseconds',
  'html',
  'redirect',
  'reset',
  'refresh_once',
  'no_state',
  'state_twice',
  'no_code',
  'empty_code',
  'wrong_path',
  'code_on_the_way',
  'by_link',
] as const

export type Fault = (typeof faults)[number]

export const faultDescriptions: Readonly<
  Record<Fault, { at: 'redirect' | 'token'; does: string }>
> = {
  slow: { at: 'token', does: 'The token endpoint responds slowly.' },
  server_error: { at: 'token', does: 'The token endpoint responds with status 500.' },
  malformed_json: { at: 'token', does: 'The JSON of the response is truncated.' },
  missing_fields: { at: 'token', does: 'The response has no “initiated” and no “expires”.' },
  no_token: { at: 'token', does: 'The response has no “token”.' },
  no_refresh_token: { at: 'token', does: 'The response has no “refreshToken”.' },
  snake_case: {
    at: 'token',
    does: 'The fields are named “access_token”, “token_type” and so on.',
  },
  not_bearer: { at: 'token', does: '“tokenType” is “MAC”.' },
  expired: { at: 'token', does: 'The token is already expired when it is issued.' },
  milliseconds: { at: 'token', does: 'The times are in milliseconds.' },
  html: { at: 'token', does: 'The token endpoint responds with status 200 and an HTML page.' },
  redirect: { at: 'token', does: 'The token endpoint redirects to another URL (status 302).' },
  reset: { at: 'token', does: 'The token endpoint closes the connection without a response.' },
  refresh_once: { at: 'token', does: 'Each refresh token works only once.' },
  wrong_state: { at: 'redirect', does: 'The redirect has a different state.' },
  no_state: { at: 'redirect', does: 'The redirect has no state.' },
  state_twice: { at: 'redirect', does: 'The redirect has the state twice.' },
  code_twice: { at: 'redirect', does: 'The redirect has two codes.' },
  no_code: { at: 'redirect', does: 'The redirect has no code.' },
  empty_code: { at: 'redirect', does: 'The redirect has an empty code.' },
  wrong_path: {
    at: 'redirect',
    does: 'The redirect goes to a different path of the same host.',
  },
  code_on_the_way: {
    at: 'redirect',
    does: 'An intermediate page has an unrelated “code” in its URL.',
  },
  by_link: { at: 'redirect', does: 'A page with a link replaces the redirect.' },
}

/** Throws `SandboxError` (`unknown_fault`). */
export function parseFaults(names: readonly string[]): readonly Fault[] {
  const unknown = names.find((name) => !faults.some((fault) => fault === name))
  if (unknown !== undefined)
    throw new SandboxError(
      'unknown_fault',
      `Unknown fault “${unknown}”. Use any of: ${faults.join(', ')}.`,
    )
  return faults.filter((fault) => names.includes(fault))
}
