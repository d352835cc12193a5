import { Option } from '@commander-js/extra-typings'
import { sandboxProblems, type SandboxProblem } from '#catalogue/sandbox-problems.ts'
import { plural } from '#shared/text/format.ts'
import type { Outcome } from '#sandbox/sender.ts'
import type { Target, SignatureFault } from '#sandbox/request.ts'
import type { Step } from '#sandbox/steps.ts'
import { targetAddress } from '#shared/text/address.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { choice, collect, decimal, integer, secretFrom } from '../command-line/values.ts'
import { print, printMessage, writeJson, writeLine } from '../output/output.ts'
import type { StoredDeliveries } from '../session/running-target.ts'
import { Table } from '../output/table.ts'
import { roundMs } from '../output/text.ts'
import { UsageError } from '../command-line/errors.ts'
import { onInterrupt } from '../command-line/io.ts'

const problems = sandboxProblems.map(({ name }) => name)

const faults = [
  'base64',
  'prefix',
  'pretty',
  'line-break',
  'secret-line-break',
  'other-secret',
  'sha1',
  'plain',
] as const satisfies readonly SignatureFault[]

/** Default requests per second of simulated traffic: slow enough to watch. */
const trafficRate = 5

export const command = defineCommand(
  'trigger',
  'Send sample webhooks to the running Tabscope or to a URL',
  [
    ['Send one sample to the running Tabscope', 'trigger ORDER_PLACED'],
    ['Send one with changed values', 'trigger ORDER_PLACED --set data.total=12.5 --set data.tip=2'],
    ['Send one twice, as a sender that retries does', 'trigger ORDER_PLACED --problem duplicate'],
    ['Send one of each event type to a server', 'trigger all --to http://127.0.0.1:3000/webhooks'],
    ['Send 200 events of simulated traffic', 'trigger traffic --count 200 --rate 20'],
  ],
)
  .argument('<type>', 'Event type, all, or traffic')
  .option('--to <url>', 'Target URL (default: the running Tabscope)')
  .addOption(
    new Option('--through-tunnel', 'Send through the tunnel of the running Tabscope').conflicts(
      'to',
    ),
  )
  .option('--secret <secret>', 'Secret to sign with (default: the secret of the endpoint)')
  .option('--secret-env <name>', 'Environment variable that holds the secret')
  .option('--set <path=value>', 'Set a field of the body (repeatable)', collect)
  .option('--count <count>', 'Number of samples of each type', integer('--count', 1, 1_000_000))
  .option(
    '--rate <rate>',
    'Requests per second (default: 5 for traffic, else no limit)',
    decimal('--rate', 0.001, 10_000),
  )
  .option(
    '--sign-wrong <how>',
    `Break the signature: ${faults.join(', ')}`,
    choice('--sign-wrong', faults),
  )
  .option(
    '--problem <name>',
    `Send with a problem: ${problems.join(', ')}`,
    choice('--problem', problems),
  )
  .option('-n, --dry-run', 'Show how many requests would be sent, and where')
  .action(
    action(async (type, options) => {
      const secret = secretFrom('secret', options.secret, options.secretEnv)
      const { to, set = [], count, signWrong, problem = null } = options
      const makeSteps = await stepsOf(type, { set, count, problem })
      const running = await import('../session/running-target.ts')
      const folder = dataFolder()
      const via = options.throughTunnel ? 'tunnel' : 'listener'
      const found =
        to === undefined ? await running.runningTarget(folder, secret, via) : targetOf(to, secret)
      const { targetWith } = await import('#sandbox/problems.ts')
      const target = targetWith(problem, signWrong === undefined ? found : { ...found, signWrong })
      const steps = makeSteps(target.brand)
      if (options.dryRun) return await showPlan(target, steps)
      const isOwn = to === undefined || running.isListenerOf(folder, to)
      await using stored = isOwn ? await running.StoredDeliveries.follow(folder) : null
      const rate = options.rate ?? (type === 'traffic' ? trafficRate : null)
      return await send(target, steps, rate, stored)
    }),
  )

type MakeSteps = (brand: string) => Iterable<Step>

async function stepsOf(
  type: string,
  given: { set: readonly string[]; count: number | undefined; problem: SandboxProblem | null },
): Promise<MakeSteps> {
  const { set, count, problem } = given
  const [{ traffic }, { seeded }, { allTypes }, { stepsWith }] = await Promise.all([
    import('#sandbox/traffic.ts'),
    import('#sandbox/random.ts'),
    import('#sandbox/steps.ts'),
    import('#sandbox/problems.ts'),
  ])
  const known = allTypes()
  const what = choice('type', [...known, 'all', 'traffic'])(type)
  const seed = Math.floor(Math.random() * 2 ** 32)
  if (what === 'traffic') {
    const option = set.length > 0 ? '--set' : problem === null ? null : '--problem'
    if (option !== null) throw new UsageError(`${option} requires one event type, or all.`)
    return (brand) => traffic(count === undefined ? { seed, brand } : { seed, brand, count })
  }
  const types = what === 'all' ? known : [what]
  return (brand) =>
    stepsWith(problem, types, { random: seeded(seed), brand, overrides: set, count: count ?? 1 })
}

function targetOf(url: string, secret: string | undefined): Target {
  return {
    url: targetAddress(url),
    secret: secret ?? null,
    brand: 'Service',
    applicationId: '',
    customHeaders: [],
  }
}

async function showPlan(target: Target, steps: Iterable<Step>): Promise<0> {
  const { parseTargetUrl } = await import('#sandbox/request.ts')
  const url = parseTargetUrl(target.url).href
  const count = [...steps].length
  print(
    'plan',
    { requests: count, missing: [], targets: [{ url, requests: count, location: null }] },
    () => `Would send ${plural(count, 'request', 'requests')} to ${url}`,
  )
  return 0
}

const table = new Table<{ step: Step; outcome: Outcome; deliveryId: number | null }>(
  [
    { title: 'Type', value: ({ step }) => step.type, width: 18 },
    {
      title: 'Status',
      value: ({ outcome }) => (outcome.status === null ? 'no response' : String(outcome.status)),
      style: ({ outcome }) => (outcome.ok ? 'green' : 'red'),
      width: 11,
    },
    {
      title: 'Duration',
      value: ({ outcome }) => `${roundMs(outcome.ms)} ms`,
      align: 'right',
      width: 10,
    },
    {
      title: 'Delivery',
      value: ({ deliveryId }) => (deliveryId === null ? '–' : String(deliveryId)),
      align: 'right',
      width: 8,
    },
    { title: 'Error', value: ({ outcome }) => outcome.error ?? '' },
  ],
  [],
)

/** Prints each once it is stored. Ctrl+C stops after the requests in flight. */
async function send(
  target: Target,
  steps: Iterable<Step>,
  rate: number | null,
  stored: StoredDeliveries | null,
): Promise<0 | 1 | 130> {
  const { trigger } = await import('#sandbox/trigger.ts')
  const interrupt = new AbortController()
  const offInterrupt = onInterrupt(() => interrupt.abort())
  let printed = Promise.resolve()
  let isFirst = true
  const printStep = async (step: Step, outcome: Outcome): Promise<void> => {
    const { status, ok, ms, bytes, sha256, error, errorCode } = outcome
    const deliveryId = status === null ? null : ((await stored?.idOf(sha256)) ?? null)
    if (isFirst && !globals.json && !globals.quiet) writeLine(table.header())
    isFirst = false
    if (globals.quiet && deliveryId === null) return
    print(
      'sent',
      {
        type: step.type,
        deliveryId,
        status,
        ok,
        durationMs: ms,
        bytes,
        sha256,
        error: error === null ? null : { code: errorCode ?? 'failed', message: error },
      },
      () => (globals.quiet ? String(deliveryId) : table.row({ step, outcome, deliveryId })),
    )
  }
  try {
    const { sent, failed } = await trigger(target, steps, {
      rate,
      signal: interrupt.signal,
      onOutcome: (outcome, step) => {
        printed = printed.then(() => printStep(step, outcome))
      },
    })
    await printed
    if (globals.json) writeJson('done', { sent, failed })
    else printMessage(`${sent} sent, ${failed} failed`)
    return interrupt.signal.aborted ? 130 : failed === 0 ? 0 : 1
  } finally {
    offInterrupt()
  }
}
