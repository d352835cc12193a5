import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import type { ApiParameter } from '#contract/api.ts'
import type { Integration } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import { AppError } from '#engine/errors.ts'
import { allIntegrations, chooseIntegration, isNamed } from './in-session.ts'
import type { Session } from './session.ts'
import { defaultToken } from './default-token.ts'
import { readGiven } from './given-file.ts'
import { UsageError } from './usage-error.ts'

/** `name=value`, the value to the end of the text. Throws `UsageError`. */
export function queryOf(texts: readonly string[]): ApiParameter[] {
  return texts.map((text) => split(text, '=', '--query needs name=value'))
}

/** `Name: value`. Throws `UsageError`. */
export function headersOf(texts: readonly string[]): ApiParameter[] {
  return texts.map((text) => {
    const { name, value, on } = split(text, ':', '--header needs "Name: value"')
    return { name: name.trim(), value: value.trim(), on }
  })
}

function split(text: string, by: string, needs: string): ApiParameter {
  const at = text.indexOf(by)
  if (at < 1) throw new UsageError(`${needs}, not "${text}".`)
  return { name: text.slice(0, at), value: text.slice(at + 1), on: true }
}

/** The body that `--body` names: the text itself, `@FILE`, or `@-` for stdin. Throws `bad_input`. */
export async function bodyOf(given: string | undefined): Promise<string> {
  if (given === undefined || !given.startsWith('@')) return given ?? ''
  const file = given.slice(1)
  const bytes = file === '-' ? await buffer(process.stdin) : await readGiven(file)
  if (!isUtf8(bytes)) {
    throw new AppError('bad_input', `${file === '-' ? 'The input' : file} is not UTF-8 text.`)
  }
  return bytes.toString('utf8')
}

/** The headers, with the type of a JSON body where none is named. */
export function withType(headers: ApiParameter[], body: string): ApiParameter[] {
  if (body === '' || headers.some(({ name }) => name.toLowerCase() === 'content-type')) {
    return headers
  }
  try {
    JSON.parse(body)
  } catch {
    return headers
  }
  return [...headers, { name: 'Content-Type', value: 'application/json', on: true }]
}

/** As whom a call is made. */
export interface Caller {
  readonly integration: Integration
  /** Null: without a token. */
  readonly token: TokenView | null
}

/**
 * The integration and the token that the options name; else the integration's newest token, one that is good before one that has ended, and
 * that before one that the service has refused. Throws `UsageError`, `not_found`.
 */
export async function callerOf(
  session: Session,
  wish: { integration: string | undefined; token: number | undefined; noToken: boolean },
): Promise<Caller> {
  const integrations = await allIntegrations(session)
  const tokens = await session.call('tokens.list', {})
  if (wish.token !== undefined) {
    const token = tokens.find(({ id }) => id === wish.token)
    const integration = integrations.find(({ id }) => id === token?.integrationId)
    if (!token || !integration) {
      throw new AppError(
        'not_found',
        `There is no token ${wish.token}. List them: tabscope token list`,
      )
    }
    if (wish.integration !== undefined && !isNamed(integration, wish.integration)) {
      throw new UsageError(`Token ${wish.token} belongs to "${integration.name}".`)
    }
    return { integration, token }
  }
  const integration = chooseIntegration(integrations, wish.integration)
  const own = tokens.filter(({ integrationId }) => integrationId === integration.id)
  return { integration, token: wish.noToken ? null : defaultToken(own, Date.now()) }
}
