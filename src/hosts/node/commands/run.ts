import { spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { connect } from 'node:net'
import { constants } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Option } from '@commander-js/extra-typings'
import {
  listenersUnder,
  portHolder,
  processesUnder,
} from '#engine/receiving/listener/listening/port-owner.ts'
import { hostOf, knownAddresses } from '#engine/platform/http/addresses.ts'
import { fileExists, fileFailed } from '#engine/platform/file-errors.ts'
import { destinationOf } from '#engine/platform/save-file.ts'
import { isHttp, targetAddress } from '#shared/text/address.ts'
import { systemCodeOf, systemReason } from '#shared/text/errors.ts'
import { formatFileTime, formatLimit, plural } from '#shared/text/format.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { forwardSignals } from '../child-signals.mjs'
import { action, defineCommand, withNotes } from '../command-line/command.ts'
import { globals } from '../command-line/globals.ts'
import { collect, duration, integer, secretFrom } from '../command-line/values.ts'
import { deliveryColumns, deliveryLine } from '../output/delivery-line.ts'
import { UsageError } from '../command-line/errors.ts'
import { io, resolvePath } from '../command-line/io.ts'
import { diagnosed, End, Matches } from '../session/matches.ts'
import { Interrupted, printError, printMessage, writeJson } from '../output/output.ts'
import { rehearseOrExplain } from '../session/rehearsal-run.ts'
import {
  addresses,
  forwardRequest,
  runFolder,
  startForwarding,
  startRunning,
} from '../session/running.ts'
import { selectionOf } from '../session/selection.ts'
import type { Session } from '../session/session.ts'
import { Table } from '../output/table.ts'
import { untilIndexed } from '../session/delivery-ids.ts'

const startupMs = 120_000
/** For a command that listens elsewhere: what listens first may be its debugger. */
const elsewhereMs = 30_000
const namedAfterMs = 5000
const placesMs = 1000
const pollMs = 100
const connectMs = 2000
const maxRows = 20

/** A count belongs to the filter before it. */
interface Placed {
  readonly value: string
  /** Among the values of all these options. */
  readonly place: number
}

let nextPlace = 0

const placed = (value: string, before: readonly Placed[] | undefined): Placed[] => [
  ...(before ?? []),
  { value, place: nextPlace++ },
]

const withOptions = defineCommand(
  'run',
  'Run a command with a receiver of its own, and check what the receiver got',
  [
    [
      'Tests that send webhooks to $TABSCOPE_URL, signed with $TABSCOPE_SECRET',
      "run --expect 'type:ORDER_PLACED verdict:valid' -- npm test",
    ],
    [
      'At least two orders, and no invalid signature',
      'run --expect type:ORDER_PLACED --count 2 --expect verdict:invalid --count 0 -- npm test',
    ],
    [
      'Start a webhook handler, rehearse it, and stop it',
      'run --rehearse http://127.0.0.1:3000/hooks -- npm start',
    ],
  ],
)
  .argument('<command...>', 'Command with its arguments, after --')
  .option('--expect <filter>', 'Fail if no delivery matches this filter (repeatable)', placed)
  .option(
    '--count <count>',
    'For the --expect before it: at least this many deliveries, or 0 for none (default: 1)',
    placed,
  )
  .addOption(
    new Option(
      '--timeout <duration>',
      'How long to wait for deliveries after the command has ended',
    )
      .argParser(duration('--timeout', { to: 3_600_000 }))
      .default(5000, '5s'),
  )
  .option(
    '--rehearse <url>',
    'Test this webhook handler: after the command, or, if nothing accepts connections there yet, while the command runs, which is then stopped',
  )
  .option('--forward-to <url>', 'Forward deliveries to this URL (repeatable)', collect)
  .option('--forward-return', "Return the target's response to the sender")
  .option(
    '--secret-env <name>',
    'Environment variable that holds the secret (default: a random secret)',
  )
  .option(
    '--log <file>',
    'Event log to write on failure, redacted (default: a new tabscope-run-….tabscope)',
  )
  .option('--force', 'Replace the file of --log if it exists')

export const command = withNotes(
  withOptions.action(action((words, values) => run(words, values))),
  'The command',
  `  It gets these environment variables:

  TABSCOPE_URL     URL of the endpoint, for webhooks
  TABSCOPE_SECRET  Secret of the endpoint
  TABSCOPE_DATA    Data folder, so that other commands of tabscope use this
                   receiver. It is deleted at the end, unless --data names it.

  Its exit code is passed on. If it is 0, an expectation that is not met or a
  rehearsal that fails makes it 1. A command that is not found: 127.

  A command that --rehearse waits for is stopped, with 1, if it accepts no
  connections at the URL within 2 minutes, or 30 s after it listens elsewhere
  (known on Linux), or if it listens while another program has the port.`,
)

type Values = ReturnType<typeof withOptions.opts>

interface Expectation {
  readonly filter: string
  readonly count: number
}

type Receiver = Pick<Session, 'call' | 'on' | 'gone'>

async function run(words: readonly string[], values: Values): Promise<number> {
  const expectations = expectationsOf(values)
  // Deliveries of an earlier run in the same folder do not count.
  const since = Date.now()
  const filters = await Promise.all(
    expectations.map(({ filter }) => selectionOf({ filter, since })),
  )
  const target = values.rehearse === undefined ? undefined : targetAddress(values.rehearse)
  const handler = handlerOf(target)
  if (values.log !== undefined && !values.force && existsSync(resolvePath(values.log))) {
    throw fileExists(resolvePath(values.log))
  }
  const forwarding = await forwardRequest(values)
  const secret =
    secretFrom('secret', undefined, values.secretEnv) ?? randomBytes(32).toString('hex')
  const dataDir = runFolder(globals.data === undefined)
  globals.data = dataDir
  const request = { dataDir, port: 0, secret, forwarding, tunnel: 'none' } as const
  const running = await startRunning(request, 'run', { opensBrowser: false })
  const { engine } = running
  let child: Child | null = null
  try {
    await startForwarding(running, forwarding)
    const url = addresses(running).endpoint ?? ''
    printMessage(`Receiving webhooks at ${url}`)
    const rehearse = async (): Promise<boolean> =>
      (await rehearseOrExplain({}, (session) =>
        session.call('rehearsals.start', {
          url: target ?? '',
          endpointId: running.endpoint?.id ?? null,
          seed: randomInt(2 ** 31),
          secretOption: '--secret-env TABSCOPE_SECRET',
        }),
      )) === 0
    const isUp = handler !== null && (await accepts(handler))
    const env = { TABSCOPE_URL: url, TABSCOPE_SECRET: secret, TABSCOPE_DATA: dataDir }
    const stoppable = handler !== null && !isUp
    if (isUp) {
      printMessage(
        `${target} was in use${await heldBy(handler)} before the command started. That is tested, after the command. If the command is the handler, stop that program first, or use another port.`,
      )
    }
    child = await runChild(words, { ...io.env, ...env }, { stoppable })
    let isRehearsed: boolean | null = null
    let code = 0
    const startup = await Promise.race([
      child.ended,
      ...(handler === null ? [] : [untilAccepts(handler, child, isUp)]),
    ])
    if (typeof startup === 'string') {
      isRehearsed = startup === 'up' && (await rehearse())
      if (startup !== 'up') printError(startup)
      code = await child.stop()
    } else {
      code = startup
      if (stoppable && !child.isInterrupted() && code !== 126 && code !== 127) {
        if (code === 0) isRehearsed = false
        const held = code === 0 ? '' : await heldBy(handler)
        const port =
          held && ` Port ${handler.port} is in use${held}: stop that, or use another port.`
        printError(`The command did not accept connections at ${target} before it ended.${port}`)
      }
    }
    if (child.isInterrupted()) return code || 130
    // It could not be run.
    if (code === 126 || code === 127) return code
    const receiver = { ...engine, gone: new Promise<void>(() => undefined) }
    const unmet = code === 0 ? await unmetOf(receiver, expectations, filters, values.timeout) : []
    if (code === 0 && isUp) isRehearsed ??= await rehearse()
    if (code === 0 && unmet.length === 0 && isRehearsed !== false) return 0
    for (const line of unmet) printError(escapeControls(line))
    const filter = await selectionOf({ since })
    const received = await reportReceived(receiver, filter)
    if (received > 0 || isRehearsed !== null) await writeLog(receiver, filter, values.log)
    else printError('No delivery was received.')
    return code || 1
  } finally {
    await child?.stop()
    await engine.close()
  }
}

/** Each count belongs to the filter before it. Throws `UsageError`. */
function expectationsOf({ expect = [], count = [] }: Values): Expectation[] {
  const parse = integer('--count', 0, 1_000_000)
  const countOf = (from: number, to: number): Placed | undefined =>
    count.findLast(({ place }) => place > from && place < to)
  const first = expect[0]?.place ?? Number.POSITIVE_INFINITY
  if (countOf(-1, first)) throw new UsageError('--count requires an --expect before it.')
  return expect.map(({ value, place }, index) => {
    const found = countOf(place, expect[index + 1]?.place ?? Number.POSITIVE_INFINITY)
    return { filter: value, count: found === undefined ? 1 : parse(found.value) }
  })
}

interface Handler {
  readonly url: string
  readonly host: string
  readonly port: number
}

function handlerOf(url: string | undefined): Handler | null {
  if (url === undefined) return null
  const parsed = URL.parse(url)
  if (!parsed || !isHttp(parsed)) {
    throw new UsageError(`--rehearse requires an http or https URL, not "${url}".`)
  }
  const usual = parsed.protocol === 'https:' ? 443 : 80
  return { url, host: hostOf(parsed), port: parsed.port === '' ? usual : Number(parsed.port) }
}

/** At one of its addresses: a server may listen only at ::1 or only at 127.0.0.1, which are both localhost. */
async function accepts({ host, port }: Handler): Promise<boolean> {
  const tries = (knownAddresses(host) ?? [host]).map((address) => acceptsAt(address, port))
  return (await Promise.all(tries)).includes(true)
}

function acceptsAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.destroy()
      resolve(true)
    })
    const fail = (): void => {
      socket.destroy()
      resolve(false)
    }
    socket.on('error', fail).setTimeout(connectMs, fail)
  })
}

/** " by node (process 12)", or empty if nothing is known of it. */
async function heldBy({ port }: Handler): Promise<string> {
  const holder = await portHolder(port)
  return holder === null ? '' : ` by ${escapeControls(holder)}`
}

/** Returns `up`, or a sentence: why the command has to be stopped. `isUp`: another program accepted connections before the command. */
async function untilAccepts(handler: Handler, child: Child, isUp: boolean): Promise<string> {
  const { url } = handler
  const from = performance.now()
  let places: readonly string[] = []
  let placesAt = from
  let listensSince: number | null = null
  let isNamed = false
  let hasEnded = false
  void child.ended.then(() => (hasEnded = true))
  while (!hasEnded) {
    if (!isUp && (await accepts(handler))) return 'up'
    await pause(pollMs, undefined, { ref: false })
    const now = performance.now()
    if (now - placesAt >= placesMs) {
      placesAt = now
      places = await child.listensAt()
      listensSince = places.length === 0 ? null : (listensSince ?? now)
    }
    const where = places.length === 0 ? '' : ` It listens at ${places.join(', ')}.`
    if (isUp) {
      if (listensSince === null || now - listensSince < namedAfterMs) continue
      return `${url} was in use before the command started, and the command does not end.${where} Stop the program that uses the port, or use another port. To test that program, use tabscope rehearse instead.`
    }
    const limit = listensSince === null ? startupMs : elsewhereMs
    if (now - (listensSince ?? from) >= limit) {
      return `The command did not accept connections at ${url} within ${formatLimit(limit)}.${where} Name the URL in --rehearse at which it listens.`
    }
    if (isNamed || now - (listensSince ?? from) < namedAfterMs) continue
    isNamed = true
    printMessage(
      `Nothing accepts connections at ${url} yet; the command is stopped after ${formatLimit(limit)}.${where} Name the URL in --rehearse at which it listens.`,
    )
  }
  return ''
}

/** A line for each expectation that is not met. Waits until all are, at most for the timeout. Throws `Interrupted`. */
async function unmetOf(
  receiver: Receiver,
  expectations: readonly Expectation[],
  filters: readonly string[],
  timeout: number,
): Promise<string[]> {
  const end = new End(timeout)
  const checks = expectations.map(({ filter, count }, index) => ({
    filter,
    count,
    matches: new Matches(filters[index] ?? '', Math.max(1, count), () => undefined),
  }))
  await Promise.all(
    checks.filter(({ count }) => count > 0).map(({ matches }) => matches.follow(receiver, end)),
  )
  end.clear()
  if (end.interrupted) throw new Interrupted()
  await untilIndexed(receiver)
  const unmet: string[] = []
  for (const { filter, count, matches } of checks) {
    await matches.checkNew(receiver)
    const met = count === 0 ? matches.count === 0 : matches.complete
    if (globals.json) {
      writeJson('expectation', { filter, expected: count, received: matches.count, met })
    }
    if (met) continue
    unmet.push(
      count === 0
        ? `Expected no delivery, but one was received: ${filter}`
        : `Expected at least ${plural(count, 'delivery', 'deliveries')}, received ${matches.count}: ${filter}`,
    )
  }
  return unmet
}

async function reportReceived(receiver: Receiver, filter: string): Promise<number> {
  await receiver.call('deliveries.stored', {})
  const newest = { filter, upTo: null, offset: 0, limit: maxRows }
  const { rows, total } = await receiver.call('deliveries.page', newest)
  if (total === 0) return 0
  const shown = total > rows.length ? `, the last ${rows.length} of them` : ''
  printError(`Received ${plural(total, 'delivery', 'deliveries')}${shown}:`)
  printError(new Table(deliveryColumns, []).header())
  for (const row of rows.toReversed()) {
    const isOpen = row.verdict === 'invalid' && row.causes === null
    printError(deliveryLine(isOpen ? await diagnosed(receiver, row) : row))
  }
  return total
}

/** Of the deliveries and rehearsals of the run. A failure is reported: the exit code says what failed before. */
async function writeLog(receiver: Receiver, filter: string, given?: string): Promise<void> {
  const now = new Date()
  let file = ''
  try {
    const replaced = given === undefined ? null : destinationOf(resolvePath(given)).final
    if (replaced !== null) await rm(replaced, { force: true })
    let handle: FileHandle | null = null
    for (let count = 1; handle === null; count += 1) {
      const name = `tabscope-run-${formatFileTime(now)}${count === 1 ? '' : `-${count}`}.tabscope`
      file = replaced ?? resolvePath(name)
      handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
        if (given === undefined && systemCodeOf(error) === 'EEXIST') return null
        throw error
      })
    }
    await using opened = handle
    const { ticket } = await receiver.call('logs.export', {
      what: { filter },
      with: { rehearsals: 'all' },
      to: { kind: 'pull', name: 'run' },
    })
    for (let isDone = false; !isDone;) {
      const { bytes, done } = await receiver.call('logs.pull', { ticket: ticket ?? '' })
      await opened.writeFile(bytes)
      isDone = done
    }
    printError(escapeControls(`Event log, redacted: ${file}`))
  } catch (error) {
    printError(escapeControls(fileFailed(file, error).message))
  }
}

const stopMs = 10_000
const othersMs = 1000
const childPollMs = 20

interface Child {
  /** Its exit code, as shells have it: 128 and the number of the signal that ended it; 127 if it was not found, 126 if it could not be started. */
  readonly ended: Promise<number>
  /** This process has received a signal, which the child has received as well. */
  isInterrupted(): boolean
  /** With what it has started. Empty if that is not known. */
  listensAt(): Promise<readonly string[]>
  /** With what it has started, if it is `stoppable`. Resolves to 0: how a stopped command ends says nothing. */
  stop(): Promise<0>
}

/** `stoppable`: in a process group of its own, since npm ends without what it started. It can then not read from the terminal. */
async function runChild(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { stoppable }: { stoppable: boolean },
): Promise<Child> {
  const [file = '', ...args] = words
  const isGroup = stoppable && process.platform !== 'win32'
  const options = { stdio: 'inherit', env, cwd: resolvePath('.'), detached: isGroup } as const
  const child = (await needsShell(file, env))
    ? spawn(words.map(quotedForCmd).join(' '), { ...options, shell: true })
    : spawn(file, args, options)
  // The terminal notifies its own group only.
  const signals = forwardSignals(child, isGroup ? { inTerminal: false } : {})
  let hasEnded = false
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      const code = systemCodeOf(error)
      const reason = code === 'ENOENT' ? 'Command not found.' : systemReason(error)
      printError(`Could not run ${escapeControls(file)}. ${reason}`)
      resolve(code === 'ENOENT' ? 127 : 126)
    })
    child.on('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
    )
  }).finally(() => {
    hasEnded = true
    signals.stop()
  })
  return {
    ended,
    isInterrupted: () => signals.received,
    listensAt: async () => (await listenersUnder(child.pid ?? 0)) ?? [],
    stop: async () => {
      const { pid } = child
      if (pid === undefined || (hasEnded && !isGroup)) return 0
      const all = isGroup ? [-pid] : await processesUnder(pid)
      const send = (signal: NodeJS.Signals | 0): boolean =>
        all.map((each) => sendTo(each, signal)).includes(true)
      // Without taskkill, only the shell would end.
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f'])
      else send('SIGTERM')
      await Promise.race([ended, pause(stopMs, null, { ref: false })])
      const deadline = performance.now() + othersMs
      while (performance.now() < deadline && send(0)) await pause(childPollMs)
      send('SIGKILL')
      await ended
      return 0
    },
  }
}

/** Returns false if it does not run any more. */
function sendTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** On Windows, npm and the like are batch files. */
async function needsShell(file: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (process.platform !== 'win32' || /\.(?:exe|com)$/i.test(file)) return false
  const { findProgram } = await import('#engine/receiving/tunnel/program/find.ts')
  return path.isAbsolute(file) || (await findProgram(file, env)) === null
}

function quotedForCmd(word: string): string {
  const isPlain = word !== '' && !/[^\w.:\\/=@+-]/.test(word)
  return isPlain ? word : `"${word.replaceAll('"', '""')}"`
}
