import type { TokenView } from '#contract/tokens.ts'
import { AppError } from '#engine/errors.ts'
import { allIntegrations, changeSession, named, readSession } from '../in-session.ts'
import { idOf, parse } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import type { Session } from '../session.ts'
import { tokenEvent, tokenLine, tokenText } from '../token-text.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'

/** `token list | show | refresh | revoke-local | label | remove`; without a verb it lists. */
export async function token(args: string[]): Promise<number> {
  const [verb, ...rest] = args
  if (verb === undefined || verb.startsWith('-')) return list(args)
  switch (verb) {
    case 'list':
      return list(rest)
    case 'show':
      return show(rest)
    case 'refresh':
      return refresh(rest)
    case 'revoke-local':
      return revokeLocal(rest)
    case 'label':
      return label(rest)
    case 'remove':
      return remove(rest)
    default:
      throw new UsageError(
        'token needs "list", "show ID", "refresh ID", "revoke-local ID", "label ID TEXT" or "remove ID".',
      )
  }
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, { integration: { type: 'string' } })
  return readSession(values, async (session) => {
    const integrationId =
      values.integration === undefined
        ? undefined
        : named(await allIntegrations(session), values.integration).id
    const tokens = await session.call('tokens.list', { integrationId })
    if (tokens.length === 0 && !values.json)
      say('There is no token yet. Get one: tabscope authorize')
    for (const each of tokens) {
      if (values.json) writeJson(tokenEvent(each, Date.now()))
      else writeLine(tokenLine(each, Date.now()))
    }
    return 0
  })
}

/** With `--reveal` the token is all there is on stdout, so that `$(…)` can take it. */
async function show(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { reveal: { type: 'boolean' } }, 2)
  const [text, word] = positionals
  const id = idOf('token show needs the ID of a token.', text)
  if (word !== undefined && (!values.reveal || (word !== 'access' && word !== 'refresh'))) {
    throw new UsageError(`"${word}" is one word too many. It is --reveal access|refresh.`)
  }
  return readSession(values, async (session) => {
    const found = await find(session, id)
    const reveal = async (which: 'access' | 'refresh'): Promise<string> =>
      (await session.call('tokens.reveal', { id, which })).value
    if (!values.reveal) {
      tell(found, values.json)
    } else if (values.json) {
      const access = word === 'refresh' ? {} : { token: await reveal('access') }
      const refresh =
        word === 'access'
          ? {}
          : { refreshToken: found.hasRefreshToken ? await reveal('refresh') : null }
      writeJson({ ...tokenEvent(found, Date.now()), ...access, ...refresh })
    } else {
      writeLine(printable(await reveal(word === 'refresh' ? 'refresh' : 'access')))
    }
    return 0
  })
}

/** Tries the refresh template. 1 when no token came. */
async function refresh(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf('token refresh needs the ID of a token.', positionals[0])
  return changeSession(values, async (session) => {
    const { failure } = await session.call('tokens.refresh', { id })
    if (!failure) {
      tell(await find(session, id), values.json)
      return 0
    }
    const { code, message, meaning, remedy } = failure
    if (values.json) writeJson({ event: 'failed', code, message, meaning, remedy })
    else for (const line of [message, meaning, remedy]) if (line) say(printable(line))
    return 1
  })
}

async function revokeLocal(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf('token revoke-local needs the ID of a token.', positionals[0])
  return changeSession(values, async (session) => {
    const after = await session.call('tokens.forget', { id })
    if (values.json) writeJson(tokenEvent(after, Date.now()))
    say(
      `Token ${id} is forgotten here. The service was not told, since its document shows no way to: there it stays good until its end.`,
    )
    return 0
  })
}

async function label(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 2)
  const id = idOf('token label needs the ID of a token and a text.', positionals[0])
  const text = positionals[1]
  if (text === undefined) throw new UsageError('token label needs a text after the ID.')
  return changeSession(values, async (session) => {
    tell(await session.call('tokens.label', { id, label: text }), values.json)
    return 0
  })
}

async function remove(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf('token remove needs the ID of a token.', positionals[0])
  return changeSession(values, async (session) => {
    await session.call('tokens.remove', { id })
    if (values.json) writeJson({ event: 'removed', id })
    else say(`Token ${id} is gone, with its timeline.`)
    return 0
  })
}

async function find(session: Session, id: number): Promise<TokenView> {
  const found = (await session.call('tokens.list', {})).find((each) => each.id === id)
  if (found) return found
  throw new AppError('not_found', `There is no token ${id}. List them: tabscope token list`)
}

function tell(each: TokenView, json: boolean | undefined): void {
  if (json) writeJson(tokenEvent(each, Date.now()))
  else writeLine(tokenText(each, Date.now()))
}
