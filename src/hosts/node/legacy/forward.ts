import { successRate, type ForwardHealth, type ForwardTarget } from '#contract/answering.ts'
import { confirming } from '../confirm-target.ts'
import { typesOf } from '../forwarding.ts'
import { changeSession, inSession, readSession } from '../in-session.ts'
import { idOf, parse, wholeNumber } from '../options.ts'
import { say, writeJson, writeLine } from '../output.ts'
import { endpointOf } from '../send-options.ts'
import { printable } from '../../printable.ts'
import { UsageError } from '../usage-error.ts'

const verbs: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  add,
  list,
  on: (args) => change(args, 'on', true),
  off: (args) => change(args, 'off', false),
  remove,
}

/** `forward add|list|on|off|remove`: where deliveries of an endpoint go on to, also when this command has ended. */
export async function forward([verb, ...args]: string[]): Promise<number> {
  const run = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (run) return run(args)
  throw new UsageError(`forward needs one of: ${Object.keys(verbs).join(', ')}.`)
}

async function add(args: string[]): Promise<number> {
  const { values, positionals } = parse(
    args,
    {
      endpoint: { type: 'string' },
      types: { type: 'string' },
      answer: { type: 'boolean' },
      retries: { type: 'string' },
      timeout: { type: 'string' },
      'in-flight': { type: 'string' },
      queue: { type: 'string' },
      'allow-target': { type: 'boolean' },
    },
    1,
  )
  const [url] = positionals
  if (url === undefined) throw new UsageError('forward add needs a URL.')
  const types = typesOf(values.types)
  const numbers = {
    retries: wholeNumber('retries', values.retries, 0, 20),
    timeout: wholeNumber('timeout', values.timeout, 1, 120_000),
    inFlight: wholeNumber('in-flight', values['in-flight'], 1, 32),
    queue: wholeNumber('queue', values.queue, 1, 100_000),
  }
  return inSession(values, async (session) => {
    const { endpoints } = await session.call('app.snapshot', {})
    const { id: endpointId } = endpointOf(endpoints, values.endpoint)
    const asks = { allowed: values['allow-target'] ?? false, asks: !values.json }
    const target = await confirming(session, asks, () =>
      session.call('forwards.add', {
        endpointId,
        url,
        types,
        mode: values.answer ? 'answer' : 'after',
        ...numbers,
      }),
    )
    tell(target, values.json)
    return 0
  })
}

async function list(args: string[]): Promise<number> {
  const { values } = parse(args, {})
  return readSession(values, async (session) => {
    const { forwards, forwardHealth } = await session.call('app.snapshot', {})
    for (const target of forwards) {
      const health = forwardHealth.find(({ forwardId }) => forwardId === target.id)
      tell(target, values.json, health)
    }
    if (forwards.length === 0 && !values.json) {
      say('There is no forward target. Add one: tabscope forward add URL')
    }
    return 0
  })
}

async function change(args: string[], verb: string, on: boolean): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf(`forward ${verb} needs the ID of a forward target.`, positionals[0])
  return changeSession(values, async (session) => {
    tell(await session.call('forwards.update', { id, on }), values.json)
    return 0
  })
}

async function remove(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const id = idOf('forward remove needs the ID of a forward target.', positionals[0])
  return changeSession(values, async (session) => {
    await session.call('forwards.remove', { id })
    if (values.json) writeJson({ event: 'removed', forwardId: id })
    return 0
  })
}

function tell(target: ForwardTarget, json: boolean | undefined, health?: ForwardHealth): void {
  if (json) {
    const { id, ...rest } = target
    writeJson({ event: 'forward', forwardId: id, ...rest, ...(health && { health }) })
    return
  }
  const { id, url, types, mode, on } = target
  const parts = [
    String(id).padStart(4),
    on ? 'on ' : 'off',
    printable(url),
    types.length === 0 ? 'all types' : printable(types.join(', ')),
    mode === 'answer' ? 'its answer is ours' : 'after our answer',
    ...(health && on ? [healthWords(health)] : []),
  ]
  writeLine(parts.join('  '))
}

/** "6 of the last 9 delivered (66%), last response 200" */
function healthWords(health: ForwardHealth): string {
  const rate = successRate(health)
  if (rate === null) return 'nothing sent yet'
  const { lastStatus, lastError } = health
  const last = lastStatus === null ? printable(lastError ?? 'no response') : String(lastStatus)
  return `${rate}, last response: ${last}`
}
