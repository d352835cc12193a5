import type { CallInput } from '#contract/calls.ts'
import type { ResponseRule } from '#contract/answering.ts'
import { mindUnknownType } from '../forwarding.ts'
import { inSession } from '../in-session.ts'
import { parse, wholeNumber } from '../options.ts'
import { writeJson, writeLine } from '../output.ts'
import { endpointOf, headerPairs } from '../send-options.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage.ts'

type Rule = CallInput<'responses.set'>['rules'][number]

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

/** `respond --status 500 …`, `respond off`, `respond list`: what an endpoint answers instead of 200. */
export async function respond([verb, ...args]: string[]): Promise<number> {
  if (verb === 'off') return off(args)
  if (verb === 'list') return list(args)
  const { values } = parse(verb === undefined ? [] : [verb, ...args], options)
  const rule = ruleOf(values)
  if (rule.type !== null) mindUnknownType(rule.type, 'The rule holds for it all the same.')
  return inSession(values, async (session) => {
    const { endpoints, responses } = await session.call('app.snapshot', {})
    const { id } = endpointOf(endpoints, values.endpoint)
    // A rule for the same type takes the place of the one before it.
    const others = responses
      .filter((each) => each.endpointId === id && each.on && each.type !== rule.type)
      .map(({ type, answer, delay, when, on }): Rule => ({ type, answer, delay, when, on }))
    // One for a single type is tried before one for all: else it would never come up.
    const rules = rule.type === null ? [...others, rule] : [rule, ...others]
    tell(await session.call('responses.set', { endpointId: id, rules }), values.json)
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
    throw new UsageError('respond needs --status N, --drop, --delay MS, --body TEXT, off or list.')
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
  return inSession(values, async (session) => {
    const { endpoints } = await session.call('app.snapshot', {})
    const which =
      values.endpoint === undefined ? {} : { endpointId: endpointOf(endpoints, values.endpoint).id }
    tell(await session.call('responses.off', which), values.json)
    return 0
  })
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return inSession(values, async (session) => {
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

function ruleLine({ type, answer, delay, when, on }: ResponseRule): string {
  const what = answer.kind === 'drop' ? 'no answer, the connection is cut' : String(answer.status)
  return [
    on ? 'on ' : 'off',
    printable(type ?? 'every type'),
    what,
    ...(delay > 0 ? [`after ${delay} ms`] : []),
    ...(when.kind === 'first' ? [`the first ${when.count}`] : []),
    ...(when.kind === 'share' ? [`${Math.round(when.share * 100)} % of them`] : []),
  ].join('  ')
}
