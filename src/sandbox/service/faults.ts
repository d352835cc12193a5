import { SandboxError } from '../errors.ts'

/** What the service can be told to do wrong, so that a client can be seen to bear it. */
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

/** Where a fault shows, and what happens there, as a sentence. */
export const faultDescriptions: Readonly<
  Record<Fault, { readonly at: 'redirect' | 'token'; readonly does: string }>
> = {
  slow: { at: 'token', does: 'The token endpoint takes its time to answer.' },
  server_error: { at: 'token', does: 'The token endpoint answers 500.' },
  malformed_json: { at: 'token', does: 'The JSON of the answer is cut off in the middle.' },
  missing_fields: { at: 'token', does: 'The answer has no “initiated” and no “expires”.' },
  no_token: { at: 'token', does: 'The answer has no “token”.' },
  no_refresh_token: { at: 'token', does: 'The answer has no “refreshToken”.' },
  snake_case: {
    at: 'token',
    does: 'The fields are named “access_token”, “token_type” and so on.',
  },
  not_bearer: { at: 'token', does: '“tokenType” is “MAC”.' },
  expired: { at: 'token', does: 'The token expired before it was issued.' },
  milliseconds: { at: 'token', does: 'The times are in milliseconds.' },
  html: { at: 'token', does: 'The token endpoint answers 200 with a page of HTML.' },
  redirect: { at: 'token', does: 'The token endpoint answers 302 to another address.' },
  reset: { at: 'token', does: 'The token endpoint cuts the connection off without an answer.' },
  refresh_once: { at: 'token', does: 'A refresh token works once; then only the new one does.' },
  wrong_state: { at: 'redirect', does: 'A state other than the one sent is returned.' },
  no_state: { at: 'redirect', does: 'No state is returned.' },
  state_twice: { at: 'redirect', does: 'The state is returned twice.' },
  code_twice: { at: 'redirect', does: 'Two codes are returned.' },
  no_code: { at: 'redirect', does: 'No code is returned.' },
  empty_code: { at: 'redirect', does: 'The returned code is empty.' },
  wrong_path: {
    at: 'redirect',
    does: 'The redirect goes to another path of the redirect URL’s host.',
  },
  code_on_the_way: {
    at: 'redirect',
    does: 'A page on the way has a “code” of its own in its address.',
  },
  by_link: { at: 'redirect', does: 'A page with a link leads back, instead of a redirect.' },
}

/** The faults named. Throws `SandboxError` (`unknown_fault`). */
export function faultsNamed(names: readonly string[]): readonly Fault[] {
  const unknown = names.find((name) => !faults.some((fault) => fault === name))
  if (unknown !== undefined)
    throw new SandboxError(
      'unknown_fault',
      `There is no fault “${unknown}”. Use some of: ${faults.join(', ')}.`,
    )
  return faults.filter((fault) => names.includes(fault))
}
