import { evening } from '#sandbox/evening.ts'
import { seeded } from '#sandbox/random.ts'
import type { Target } from '#sandbox/request.ts'
import type { Outcome } from '#sandbox/sender.ts'
import { wrongWay } from '#sandbox/sign-wrong.ts'
import { allTypes, sampleSteps, type Step } from '#sandbox/steps.ts'
import { trigger as send } from '#sandbox/trigger.ts'
import { folderOf, parse, secretOf, secretOptions, wholeNumber } from '../options.ts'
import { coloured, say, writeJson, writeLine } from '../output.ts'
import { runningTarget } from '../running-target.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'

/** `trigger`: sends what the service would send, over real HTTP. 1 when a delivery was not answered with 2xx. */
export async function trigger(args: string[]): Promise<number> {
  const { values, positionals } = parse(
    args,
    {
      ...secretOptions,
      to: { type: 'string' },
      set: { type: 'string', multiple: true },
      count: { type: 'string' },
      rate: { type: 'string' },
      'sign-wrong': { type: 'string' },
      'through-tunnel': { type: 'boolean' },
    },
    1,
  )
  const [what] = positionals
  if (what === undefined) throw new UsageError('trigger needs an event type, "all" or "evening".')
  const count = wholeNumber('count', values.count, 1, 1_000_000)
  const secret = secretOf(values)
  const way = values['sign-wrong']
  const wrong = way === undefined ? {} : { signWrong: wrongWay(way) }
  const through = values['through-tunnel'] === true ? 'tunnel' : 'listener'
  if (through === 'tunnel' && values.to !== undefined)
    throw new UsageError('--through-tunnel says where to by itself: leave --to out.')
  const right =
    values.to === undefined
      ? await runningTarget(folderOf(values), secret, through)
      : targetOf(values.to, secret)
  const target = { ...right, ...wrong }
  const steps = stepsOf(what, { brand: target.brand, overrides: values.set ?? [], count })
  const { sent, failed } = await send(target, steps, {
    rate: rateOf(values.rate, what),
    onOutcome: (outcome, step) => report(outcome, step, values.json ?? false),
  })
  if (values.json) writeJson({ event: 'done', sent, failed })
  else say(`${sent} sent, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** An evening goes at a pace that can be watched unless another is asked for; the rest as fast as it is answered. */
const eveningRate = 5

function rateOf(text: string | undefined, what: string): number | null {
  if (text === undefined) return what === 'evening' ? eveningRate : null
  const rate = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || rate <= 0) {
    throw new UsageError(`--rate needs deliveries a second, not "${text}".`)
  }
  return rate
}

function stepsOf(
  what: string,
  options: { brand: string; overrides: readonly string[]; count: number | undefined },
): Iterable<Step> {
  const seed = Math.floor(Math.random() * 2 ** 32)
  const { brand, overrides, count } = options
  if (what === 'evening') {
    if (overrides.length > 0) throw new UsageError('--set works with one type, or with "all".')
    return evening(count === undefined ? { seed, brand } : { seed, brand, count })
  }
  const types = what === 'all' ? allTypes() : [what]
  return sampleSteps(types, { random: seeded(seed), brand, overrides, count: count ?? 1 })
}

function targetOf(url: string, secret: string | undefined): Target {
  return { url, secret: secret ?? null, brand: 'Service', applicationId: '', customHeaders: [] }
}

function report(outcome: Outcome, step: Step, json: boolean): void {
  const { status, ms, bytes, sha256, error } = outcome
  if (json) {
    writeJson({ event: 'sent', type: step.type, status, ms, bytes, sha256, error })
    return
  }
  const mark = outcome.ok ? coloured('green', '✓') : coloured('red', '✗')
  const result = error === null ? `${status ?? ''} in ${ms.toFixed(1)} ms` : printable(error)
  writeLine(`${mark} ${coloured('bold', step.type.padEnd(18))} ${result}`)
}
