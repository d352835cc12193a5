import type { CallInput } from '#contract/calls.ts'
import type { ResponseRule } from '#contract/answering.ts'
import { mindUnknownType } from '../forwarding.ts'
import { changeSession, inSession, readSession } from '../in-session.ts'
import { idOf, parse, wholeNumber } from '../options.ts'
import { writeJson, writeLine } from '../output.ts'
import { endpointOf, headerPairs } from '../send-options.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'

type Rule = Omit<CallInput<'responses.add'>, 'endpointId'>

const options = {
  endpoint: { type: 'string' },
  type: { type: 'string' },
  status: { type: 'string' },
  drop: { type: 'boolean' },
  body: { type: 'string' },
  header: { type: 'string', multiple: true },
  delay: { type: 'string' },
  first: { type: 'string' },
  share: { type: 'string' },
} as const

type Values = ReturnType<typeof parse<typeof options>>['values']

/** `respond --status 500 …`, `respond off`, `respond list`, `respond remove ID`: what an endpoint answers instead of 200. */
export async function respond([verb, ...args]: string[]): Promise<number> {
  if (verb === 'off') return off(args)
  if (verb === 'list') return list(args)
  if (verb === 'remove') return remove(args)
  const { values } = parse(verb === undefined ? [] : [verb, ...args], options)
  const rule = ruleOf(values)
  if (rule.type !== null) mindUnknownType(rule.type, 'The rule holds for it all the same.')
  return inSession(values, async (session) => {
    const { endpoints } = await session.call('app.snapshot', {})
    const { id: endpointId } = endpointOf(endpoints, values.endpoint)
    tell(await session.call('responses.add', { endpointId, ...rule }), values.json)
    return 0
  })
}

function ruleOf(values: Values): Rule {
  const status = wholeNumber('status', values.status, 200, 599)
  const delay = wholeNumber('delay', values.delay, 0, 120_000) ?? 0
  if (values.drop && (status !== undefined || values.body !== undefined || values.header)) {
    throw new UsageError('--drop answers nothing: leave out --status, --body and --header.')
  }
  if (!values.drop && status === undefined && delay === 0 && values.body === undefined) {
    throw new UsageError(
      'respond needs --status N, --drop, --delay MS, --body TEXT, off, list or remove ID.',
    )
  }
  const answer: Rule['answer'] = values.drop
    ? { kind: 'drop' }
    : {
        kind: 'status',
        status: status ?? 200,
        headers: headerPairs(values.header),
        body: values.body ?? '',
      }
  return { type: values.type ?? null, answer, delay, when: whenOf(values), on: true }
}

function whenOf({ first, share }: Values): Rule['when'] {
  if (first !== undefined && share !== undefined) {
    throw new UsageError('Give --first or --share, not both.')
  }
  const count = wholeNumber('first', first, 1, 1_000_000)
  if (count !== undefined) return { kind: 'first', count }
  if (share === undefined) return { kind: 'always' }
  const value = Number(share)
  if (share.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new UsageError(`--share needs a number from 0 to 1, not "${share}".`)
  }
  return { kind: 'share', share: value }
}

async function off(args: string[]): Promise<number> {
  const { values } = parse(args, { endpoint: { type: 'string' } })
  return changeSession(values, async (session) => {
    const { endpoints } = await session.call('app.snapshot', {})
    const which =
      values.endpoint === undefined ? {} : { endpointId: endpointOf(endpoints, values.endpoint).id }
    tell(await session.call('responses.off', which), values.json)
    return 0
  })
}

/** Removes one rule; the others keep their IDs. */
async function remove(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf('respond remove needs the ID of a response rule.', positionals[0])
  return changeSession(values, async (session) => {
    await session.call('responses.remove', { id })
    if (values.json) writeJson({ event: 'removed', ruleId: id })
    return 0
  })
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return readSession(values, async (session) => {
    tell((await session.call('app.snapshot', {})).responses, values.json)
    return 0
  })
}

function tell(rules: readonly ResponseRule[], json: boolean | undefined): void {
  for (const rule of rules) {
    if (json) {
      const { id, ...rest } = rule
      writeJson({ event: 'response', ruleId: id, ...rest })
    } else writeLine(ruleLine(rule))
  }
  if (!json && !rules.some(({ on }) => on)) writeLine('Every delivery is answered with 200.')
}

function ruleLine({ id, type, answer, delay, when, on }: ResponseRule): string {
  const what = answer.kind === 'drop' ? 'no answer, the connection is cut' : String(answer.status)
  return [
    String(id).padStart(4),
    on ? 'on ' : 'off',
    printable(type ?? 'every type'),
    what,
    ...(delay > 0 ? [`after ${delay} ms`] : []),
    ...(when.kind === 'first' ? [`the first ${when.count}`] : []),
    ...(when.kind === 'share' ? [`${Math.round(when.share * 100)} % of them`] : []),
  ].join('  ')
}
