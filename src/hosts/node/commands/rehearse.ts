import { exec } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { frameworkIds, type FrameworkId } from '#contract/constants.ts'
import type { CaseResult, Oracle, Rehearsal, RehearsalLevel } from '#contract/rehearsal.ts'
import { AppError } from '#engine/platform/errors.ts'
import { plainOrQuoted } from '#engine/platform/posix-quote.ts'
import { roundMs } from '../text.ts'
import { exits, group, leaf, type ExitCode } from '../command-line/command.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { choice, collect, duration, integer, port, secretFrom } from '../command-line/values.ts'
import { UsageError } from '../errors.ts'
import {
  colored,
  print,
  printMessage,
  showProgress,
  writeBytes,
  writeJson,
  writeLine,
} from '../output.ts'
import type { Session } from '../session.ts'
import { Table } from '../table.ts'

const failOn = ['fail', 'warn'] as const
const formats = ['text', 'json', 'junit', 'tap', 'markdown', 'html'] as const
type Format = (typeof formats)[number]

/** A command of an oracle gets this long, in milliseconds. */
const commandTimeoutMs = 10_000

const words = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  ...text.split(',').flatMap((part) => part.trim() || []),
]

const run = leaf('run', 'Test a webhook handler with the cases of the catalogue', [
  ['Test a handler', 'rehearse --to http://127.0.0.1:3000/webhooks --secret-env WEBHOOK_SECRET'],
  [
    'Count effects with a query, so that duplicates are judged',
    'rehearse --to http://127.0.0.1:3000/webhooks --observe http://127.0.0.1:3000/orders/count',
  ],
  ['Repeat one case', 'rehearse --to http://127.0.0.1:3000/webhooks --only S4 --seed 7'],
  [
    'In CI, with a report that the CI shows',
    'rehearse --ephemeral --to http://127.0.0.1:3000/webhooks --secret-env WEBHOOK_SECRET --format junit -o rehearsal.xml',
  ],
])
  .option('--to <url>', 'URL of your webhook handler')
  .option('--endpoint <slug>', 'Endpoint whose secret, brand and headers are used')
  .option('--secret-env <name>', 'Environment variable that holds the secret')
  .option('--previous-secret-env <name>', 'Environment variable that holds the previous secret')
  .option('--only <cases>', 'Only these cases, such as S4,B* (repeatable)', words)
  .option('--skip <cases>', 'Without these cases (repeatable)', words)
  .option(
    '--seed <number>',
    'Seed of the made-up identifiers (default: random)',
    integer('--seed', 0, 2 ** 31),
  )
  .option('--observe <url>', 'URL that returns the number of effects')
  .option('--observe-command <command>', 'Command that prints the number of effects')
  .option('--acknowledges-first', 'The handler responds before it verifies the signature')
  .option('--accept <statuses>', 'Statuses that accept a delivery (default: any 2xx)', words)
  .option(
    '--framework <id>',
    `Framework of the fixes: ${frameworkIds.join(', ')}`,
    choice('--framework', frameworkIds),
  )
  .option('--load', 'Also run the cases with load')
  .option('--allow-target', 'Allow a target outside this machine and its network')
  .option(
    '--timeout <duration>',
    'Time limit of one request (default: 15s)',
    duration('--timeout', { from: 100, to: 120_000, plainUnit: 's' }),
  )
  .option(
    '--fail-on <result>',
    `Exit with 1 on: ${failOn.join(', ')} (default: fail)`,
    choice('--fail-on', failOn),
  )
  .option('--baseline <file>', 'JSON file of accepted failures, each with an expiry date')
  .option('--format <formats>', `Formats of the report: ${formats.join(', ')} (repeatable)`, words)
  .option(
    '-o, --output <file>',
    'File of the report; one for each format, in their order (repeatable)',
    collect,
  )
  .option('--ephemeral', 'Use a temporary data folder that is deleted at exit')
  .action(exits((options) => rehearse(options)))

const list = leaf('list', 'List the cases of the catalogue', [
  ['List all cases', 'rehearse list'],
  ['As JSON, with the reason for each', 'rehearse list --json'],
]).action(
  exits(async (): Promise<ExitCode> => {
    const [{ rehearsalCases }, { oauthCases }] = await Promise.all([
      import('#catalogue/rehearsal/cases.ts'),
      import('#catalogue/rehearsal/oauth-cases.ts'),
    ])
    const cases: readonly ListedCase[] = [
      ...rehearsalCases,
      ...oauthCases.map((each) => ({ ...each, group: 'oauth' })),
    ]
    const table = new Table(
      [
        { title: 'id', value: ({ id }) => id },
        { title: 'level', value: ({ level }) => level },
        { title: 'group', value: ({ group: of }) => of },
        { title: 'case', value: ({ title }) => title },
        { title: 'correct', value: ({ expected }) => expected },
      ],
      cases,
    )
    if (!globals.json && !globals.quiet) writeLine(table.header())
    for (const each of cases) {
      const { id, level, title, expected, why, basis, load = false, needsOracle = false } = each
      print(
        {
          event: 'rehearsal_case',
          id,
          group: each.group,
          level,
          title,
          expected,
          why,
          basis,
          needsOracle,
          load,
        },
        () => (globals.quiet ? id : table.row(each)),
      )
    }
    return 0
  }),
)

const oauth = leaf('oauth', 'Test your own OAuth client', [
  ['Begin each flow in a browser', 'rehearse oauth --redirect-url http://127.0.0.1:3000/callback'],
  [
    'Begin each flow with a request to your app',
    'rehearse oauth --start-url http://127.0.0.1:3000/login --call-url http://127.0.0.1:3000/locations',
  ],
  [
    'In CI, with an app that is configured for port 4790',
    'rehearse oauth --ephemeral --start-url http://127.0.0.1:3000/login --port 4790 --access-id ci --access-secret-env ACCESS_SECRET --format junit -o oauth.xml',
  ],
])
  .option('--start-url <url>', 'URL of your app that begins a flow (default: you begin each flow)')
  .option('--call-url <url>', 'URL of your app that makes it call the API')
  .option('--redirect-url <url>', 'Redirect URL that your app must send')
  .option(
    '--port <port>',
    'Port of the authorization server (default: a free port)',
    port('--port'),
  )
  .option('--access-id <id>', 'Access ID of your app (default: made up)')
  .option(
    '--access-secret-env <name>',
    'Environment variable that holds the access secret (default: made up)',
  )
  .option('--only <cases>', 'Only these cases, such as O3,O1* (repeatable)', words)
  .option('--skip <cases>', 'Without these cases (repeatable)', words)
  .option(
    '--flow-timeout <duration>',
    'A flow that has not begun after this time is skipped (default: 2m)',
    duration('--flow-timeout', { from: 50, to: 3_600_000 }),
  )
  .option(
    '--watch-time <duration>',
    'How long to watch for requests that must not happen (default: 5s)',
    duration('--watch-time', { from: 50, to: 60_000 }),
  )
  .option('--allow-target', 'Allow an app outside this machine and its network')
  .option(
    '--fail-on <result>',
    `Exit with 1 on: ${failOn.join(', ')} (default: fail)`,
    choice('--fail-on', failOn),
  )
  .option('--baseline <file>', 'JSON file of accepted failures, each with an expiry date')
  .option('--format <formats>', `Formats of the report: ${formats.join(', ')} (repeatable)`, words)
  .option(
    '-o, --output <file>',
    'File of the report; one for each format, in their order (repeatable)',
    collect,
  )
  .option('--ephemeral', 'Use a temporary data folder that is deleted at exit')
  .action(exits((options) => rehearseOauth(options)))

export const command = group(
  'rehearse',
  'Test your own webhook handler or OAuth client',
  [run, oauth, list],
  run,
)

interface ListedCase {
  readonly id: string
  readonly level: RehearsalLevel
  readonly group: string
  readonly title: string
  readonly expected: string
  readonly why: string
  readonly basis: string | null
  readonly load?: true
  readonly needsOracle?: true
}

/** Options that both kinds of runs have. */
interface ReportValues {
  readonly failOn?: (typeof failOn)[number] | undefined
  readonly baseline?: string | undefined
  readonly format?: string[] | undefined
  readonly output?: string[] | undefined
  readonly ephemeral?: true | undefined
}

interface Values extends ReportValues {
  readonly to?: string | undefined
  readonly endpoint?: string | undefined
  readonly secretEnv?: string | undefined
  readonly previousSecretEnv?: string | undefined
  readonly only?: string[] | undefined
  readonly skip?: string[] | undefined
  readonly seed?: number | undefined
  readonly observe?: string | undefined
  readonly observeCommand?: string | undefined
  readonly acknowledgesFirst?: true | undefined
  readonly accept?: string[] | undefined
  readonly framework?: FrameworkId | undefined
  readonly load?: true | undefined
  readonly allowTarget?: true | undefined
  readonly timeout?: number | undefined
}

interface OauthValues extends ReportValues {
  readonly startUrl?: string | undefined
  readonly callUrl?: string | undefined
  readonly redirectUrl?: string | undefined
  readonly port?: number | undefined
  readonly accessId?: string | undefined
  readonly accessSecretEnv?: string | undefined
  readonly only?: string[] | undefined
  readonly skip?: string[] | undefined
  readonly flowTimeout?: number | undefined
  readonly watchTime?: number | undefined
  readonly allowTarget?: true | undefined
}

async function rehearse(values: Values): Promise<ExitCode> {
  const { to } = values
  if (to === undefined) {
    throw new UsageError(
      '--to is required: the URL of your webhook handler, such as http://127.0.0.1:3000/webhooks.',
    )
  }
  if (values.endpoint !== undefined && values.secretEnv !== undefined) {
    throw new UsageError('Use --endpoint or --secret-env, not both.')
  }
  const secret = secretFrom('secret', undefined, values.secretEnv)
  const previousSecret = secretFrom('previous-secret', undefined, values.previousSecretEnv)
  const oracle = oracleOf(values)
  const accept = (values.accept ?? []).map(integer('--accept', 100, 599))
  return runToEnd(values, async (session) => {
    const endpointId = await endpointOf(session, values.endpoint)
    const seed = values.seed ?? randomInt(2 ** 31)
    const started = await session.call('rehearsals.start', {
      url: to,
      endpointId,
      only: values.only ?? [],
      skip: values.skip ?? [],
      seed,
      accept,
      acknowledgesFirst: values.acknowledgesFirst ?? false,
      oracle,
      load: values.load ?? false,
      allowTarget: values.allowTarget ?? false,
      secretOption: secretOption(values),
      ...(values.timeout === undefined ? {} : { requestTimeout: values.timeout }),
      ...(secret === undefined ? {} : { secret }),
      ...(previousSecret === undefined ? {} : { previousSecret }),
    })
    if (!started.hasSecret) {
      printMessage(
        'No secret is configured: the signature is not tested. Use --secret-env or --endpoint.',
      )
    }
    return started
  })
}

async function rehearseOauth(values: OauthValues): Promise<ExitCode> {
  const { startUrl = null, callUrl = null, redirectUrl = null } = values
  if (callUrl !== null && startUrl === null)
    throw new UsageError('--call-url requires --start-url.')
  const accessSecret = secretFrom('access-secret', undefined, values.accessSecretEnv)
  if (accessSecret !== undefined && accessSecret.length < 8) {
    throw new UsageError('The access secret must have at least 8 characters.')
  }
  return runToEnd(values, async (session, stream) => {
    const { rehearsal, client } = await session.call('rehearsals.startOauth', {
      startUrl,
      callUrl,
      redirectUrl,
      port: values.port ?? 0,
      accessId: values.accessId ?? '',
      only: values.only ?? [],
      skip: values.skip ?? [],
      secretOption:
        values.accessSecretEnv === undefined
          ? ''
          : `--access-secret-env ${plainOrQuoted(values.accessSecretEnv)}`,
      allowTarget: values.allowTarget ?? false,
      ...(values.flowTimeout === undefined ? {} : { flowTimeout: values.flowTimeout }),
      ...(values.watchTime === undefined ? {} : { watchTime: values.watchTime }),
      ...(accessSecret === undefined ? {} : { accessSecret }),
    })
    if (stream === 'json') writeJson({ event: 'client', ...client })
    else {
      const secret = client.accessSecret ?? `the value of ${values.accessSecretEnv ?? ''}`
      printMessage('Configure your app with:')
      printMessage(`  Base URL:      ${client.baseUrl}`)
      printMessage(`  Access ID:     ${client.accessId}`)
      printMessage(`  Access secret: ${secret}`)
    }
    return rehearsal
  })
}

/** Starts a run, prints each result, and reports at the end. `stream` is the format that is printed. */
async function runToEnd(
  values: ReportValues & Pick<Values, 'observeCommand' | 'framework'>,
  start: (session: Session, stream: Format | undefined) => Promise<Rehearsal>,
): Promise<ExitCode> {
  const outputs = outputsOf(values)
  const accepted = acceptedFailures(values.baseline)
  const [{ runFolder }, { openSession }] = await Promise.all([
    import('../running.ts'),
    import('../session.ts'),
  ])
  const folder = values.ephemeral ? runFolder(true) : dataFolder()
  await using session = await openSession(folder, { access: 'create' })
  const stream = outputs.find(({ file }) => file === null)?.format
  const explain = await explanations(values.framework ?? null)
  const results: CaseResult[] = []
  const ended = Promise.withResolvers<Rehearsal>()
  let runId: number | null = null
  let step: string | null = null
  const early: (() => void)[] = []
  /** Pushes may be received before the call that starts the run has returned. */
  const whenStarted = (work: () => void): void => void (runId === null ? early.push(work) : work())
  session.on('rehearsals.result', ({ id, result }) =>
    whenStarted(() => {
      if (id !== runId) return
      results.push(result)
      showProgress('')
      if (stream === 'json') printCase(result, explain(result).fix)
      else if (stream === 'text') writeLine(caseLine(result, accepted.has(result.id)))
    }),
  )
  session.on('rehearsals.changed', ({ rehearsal }) =>
    whenStarted(() => {
      if (rehearsal.id !== runId) return
      const next = rehearsal.step ?? null
      if (next !== null && next !== step) {
        showProgress('')
        if (stream === 'json') writeJson({ event: 'step', step: next })
        else printMessage(next)
      }
      step = next
      if (rehearsal.endedAt !== null) ended.resolve(rehearsal)
      else if (stream === 'text') showProgress(`${results.length} of ${rehearsal.total} cases`)
    }),
  )
  const { observeCommand } = values
  session.on('rehearsals.observe', ({ id, key }) =>
    whenStarted(() => {
      if (id === runId && observeCommand !== undefined)
        void observe(session, id, key, observeCommand)
    }),
  )
  const { id } = await start(session, stream)
  runId = id
  const { cancellable } = await import('../stop.ts')
  for (const work of early.splice(0)) work()
  const rehearsal = await cancellable(
    () => session.call('rehearsals.cancel', { id }),
    () => ended.promise,
  )
  showProgress('')
  await report(rehearsal, results, outputs, accepted, explain)
  return exitCodeOf(rehearsal, results, accepted, values.failOn ?? 'fail')
}

function oracleOf({ observe: url, observeCommand }: Values): Oracle {
  if (url !== undefined && observeCommand !== undefined) {
    throw new UsageError('Use --observe or --observe-command, not both.')
  }
  if (url !== undefined) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new UsageError(`--observe requires an http or https URL, not "${url}".`)
    }
    return { kind: 'url', url }
  }
  return observeCommand === undefined
    ? { kind: 'none' }
    : { kind: 'command', command: observeCommand }
}

/** The options of a command that has the same secrets. */
function secretOption({ secretEnv, endpoint, previousSecretEnv }: Values): string {
  return Object.entries({
    '--secret-env': secretEnv,
    '--endpoint': endpoint,
    '--previous-secret-env': previousSecretEnv,
  })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${plainOrQuoted(value)}`]))
    .join(' ')
}

interface Output {
  readonly format: Format
  /** Null: stdout. */
  readonly file: string | null
}

function outputsOf({ format = [], output = [] }: ReportValues): Output[] {
  const chosen = format.map(choice('--format', formats))
  const all = chosen.length > 0 ? chosen : [globals.json ? ('json' as const) : ('text' as const)]
  if (output.length > all.length) {
    throw new UsageError(`-o is given ${output.length} times, but there are ${all.length} formats.`)
  }
  if (all.length - output.length > 1) {
    throw new UsageError('Only one format can be printed. Use -o FILE for each of the others.')
  }
  const outputs = all.map((each, index): Output => ({ format: each, file: output[index] ?? null }))
  // Progress is shown even if all reports go to files.
  return outputs.some(({ file }) => file === null)
    ? outputs
    : [...outputs, { format: globals.json ? 'json' : 'text', file: null }]
}

/** The accepted failures of a baseline whose date is not over, with their reasons. Throws `UsageError`. */
function acceptedFailures(file: string | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map()
  const fail = (what: string): never => {
    throw new UsageError(
      `--baseline ${file}: ${what}. It contains [{ "id": "S4", "expires": "2026-12-31", "reason": "…" }].`,
    )
  }
  let entries: unknown
  try {
    entries = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return fail(error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read')
  }
  if (!Array.isArray(entries)) return fail('it is not a list')
  const accepted = new Map<string, string>()
  for (const entry of entries) {
    const { id, expires, reason } = fieldsOf(entry)
    if (typeof id !== 'string') return fail('an entry has no "id"')
    if (typeof expires !== 'string' || Number.isNaN(Date.parse(expires))) {
      return fail(`${id} has no date in "expires"`)
    }
    // A date is valid until its end.
    const end = Date.parse(expires) + (/^\d{4}-\d\d-\d\d$/.test(expires) ? 86_400_000 : 0)
    if (Date.now() < end) accepted.set(id.toUpperCase(), typeof reason === 'string' ? reason : '')
    else printMessage(`Warning: the accepted failure of ${id} has expired on ${expires}.`)
  }
  return accepted
}

function fieldsOf(entry: unknown): { id?: unknown; expires?: unknown; reason?: unknown } {
  return typeof entry === 'object' && entry !== null ? entry : {}
}

async function endpointOf(session: Session, slug: string | undefined): Promise<number | null> {
  if (slug === undefined) return null
  const { endpoints } = await session.call('app.snapshot', {})
  const found = endpoints.find((endpoint) => endpoint.slug === slug)
  if (found) return found.id
  const known = endpoints.map((endpoint) => endpoint.slug).join(', ') || 'none'
  throw new AppError('not_found', `Endpoint "${slug}" does not exist. Available: ${known}.`)
}

/** Runs the command of the oracle in this process, whose folder and environment it was written for. */
async function observe(session: Session, id: number, key: number, shell: string): Promise<void> {
  const { parseCount } = await import('#engine/rehearsal/oracle.ts')
  const reply = await new Promise<{ value: number | null; error: string | null }>((resolve) => {
    exec(shell, { timeout: commandTimeoutMs, maxBuffer: 1024 * 1024 }, (error, output) => {
      try {
        if (error) throw new Error(`The command of the oracle failed: ${error.message.trim()}`)
        resolve({ value: parseCount(output), error: null })
      } catch (reason) {
        const message = reason instanceof Error ? reason.message : String(reason)
        resolve({ value: null, error: message.slice(0, 1000) })
      }
    })
  })
  // The run may be over.
  await session.call('rehearsals.observed', { id, key, ...reply }).catch(() => undefined)
}

interface Explanation {
  /** Null: it passed, or was skipped. */
  readonly fix: string | null
  readonly why: string
  readonly basis: string | null
  readonly quote: string | undefined
}

type Explain = (result: CaseResult) => Explanation

/** Loads what the catalogue says about a case. */
async function explanations(framework: FrameworkId | null): Promise<Explain> {
  const [{ rehearsalCaseOf }, { fixOf }] = await Promise.all([
    import('#catalogue/rehearsal/cases.ts'),
    import('#catalogue/rehearsal/fixes.ts'),
  ])
  return ({ id, result }) => {
    const definition = rehearsalCaseOf(id)
    const isFixed = result === 'pass' || result === 'skipped'
    return {
      fix: definition && !isFixed ? fixOf(definition.fix, framework) : null,
      why: definition?.why ?? '',
      basis: definition?.basis ?? null,
      quote: definition?.quote,
    }
  }
}

function printCase(result: CaseResult, fix: string | null): void {
  const { id, level, sent, expected, received, reason, repeat, variants } = result
  writeJson({
    event: 'case',
    id,
    result: result.result,
    level,
    sent,
    expected,
    received,
    reason,
    repeat,
    fix,
    durationMs: roundMs(result.durationMs),
    variants,
  })
}

const styles = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  review: 'cyan',
  skipped: 'gray',
  flaky: 'magenta',
} as const

function caseLine({ id, result, level, received, reason }: CaseResult, accepted: boolean): string {
  const shown = accepted && result !== 'pass' ? `${result} (accepted)` : result
  const detail = reason ?? received
  return `${id.padEnd(4)} ${colored(styles[result], shown.padEnd(7))}  ${level.padEnd(6)}  ${detail}`.trimEnd()
}

function printEnd(rehearsal: Rehearsal): void {
  const { id, grade, cappedBy, counts, options, state, problem } = rehearsal
  const { pass, fail, warn, review, skipped, flaky } = counts
  writeJson({
    event: 'rehearsal',
    grade,
    cappedBy,
    passed: pass,
    failed: fail,
    warned: warn,
    review,
    skipped,
    flaky,
    seed: options.seed,
    runId: id,
    state,
    problem,
  })
}

async function report(
  rehearsal: Rehearsal,
  results: readonly CaseResult[],
  outputs: readonly Output[],
  accepted: ReadonlyMap<string, string>,
  explain: Explain,
): Promise<void> {
  const { gradeText, reportFormats } = await import('#engine/rehearsal/report.ts')
  const { version } = await import('../version.ts')
  for (const { format, file } of outputs) {
    if (file === null && format === 'json') {
      printEnd(rehearsal)
      continue
    }
    if (file === null && format === 'text') {
      writeEnd(rehearsal, results, gradeText(rehearsal), explain)
      continue
    }
    const writer = reportFormats.find(({ id }) => id === format)
    if (!writer) throw new UsageError(`--format ${format} requires no file: it is printed.`)
    const text = writer.write({ rehearsal, results, version: version(), accepted })
    if (file === null) await writeBytes(Buffer.from(text))
    else {
      try {
        writeFileSync(file, text)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new AppError('file_failed', `The report could not be written: ${reason}.`)
      }
      printMessage(`Report: ${file}`)
    }
  }
}

function writeEnd(
  rehearsal: Rehearsal,
  results: readonly CaseResult[],
  grade: string,
  explain: Explain,
): void {
  const { problem, counts, options, state } = rehearsal
  const { pass, fail, warn, review, skipped, flaky } = counts
  if (problem !== null) {
    writeLine(problem.message)
    for (const cause of problem.causes) writeLine(`  - ${cause}`)
  }
  if (results.length > 0) {
    writeLine('')
    for (const each of results) {
      if (each.result === 'fail' || each.result === 'flaky') writeFailure(each, explain(each))
    }
    writeLine(
      `${pass} passed, ${fail} failed, ${warn} warned, ${review} to review, ${skipped} skipped, ${flaky} flaky. Seed ${options.seed}.`,
    )
  }
  if (grade !== '') writeLine(grade)
  if (state === 'cancelled') writeLine('The rehearsal was cancelled.')
}

function writeField(label: string, text: string): void {
  const [first = '', ...others] = text.split('\n')
  writeLine(`  ${`${label}:`.padEnd(10)}${first}`)
  for (const other of others) writeLine(`${' '.repeat(12)}${other}`.trimEnd())
}

function writeFailure(
  { id, reason, expected, received, repeat }: CaseResult,
  { fix, why, basis, quote }: Explanation,
): void {
  writeLine(`${id}: ${reason ?? ''}`)
  writeField('Expected', expected)
  writeField('Received', received)
  writeField('Why', why)
  if (basis !== null) writeField('Basis', quote === undefined ? basis : `${basis}: "${quote}"`)
  if (fix !== null) writeField('Fix', fix)
  writeField('Repeat', repeat)
  writeLine('')
}

/** 0: passed; 1: failed; 2: could not judge. */
function exitCodeOf(
  { state }: Rehearsal,
  results: readonly CaseResult[],
  accepted: ReadonlyMap<string, string>,
  limit: (typeof failOn)[number],
): ExitCode {
  const counts = results.some(
    ({ id, result, level }) =>
      !accepted.has(id) &&
      (result === 'fail' ||
        result === 'flaky' ||
        (limit === 'warn' && result === 'warn' && level !== 'INFO')),
  )
  if (counts) return 1
  return state === 'done' ? 0 : 2
}
