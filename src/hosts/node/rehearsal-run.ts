import { exec } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { FrameworkId } from '#contract/constants.ts'
import type { CaseResult, Rehearsal } from '#contract/rehearsal.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { ExitCode } from './command-line/command.ts'
import { dataFolder, globals } from './command-line/globals.ts'
import { choice } from './command-line/values.ts'
import { UsageError } from './errors.ts'
import { colored, printMessage, showProgress, writeBytes, writeJson, writeLine } from './output.ts'
import type { Session } from './session.ts'
import { roundMs } from './text.ts'

export const failOn = ['fail', 'warn'] as const
export const formats = ['text', 'json', 'junit', 'tap', 'markdown', 'html'] as const
type Format = (typeof formats)[number]

/** A command of an oracle gets this long, in milliseconds. */
const commandTimeoutMs = 10_000

/** Options that both kinds of runs have. */
export interface ReportValues {
  readonly failOn?: (typeof failOn)[number] | undefined
  readonly baseline?: string | undefined
  readonly format?: string[] | undefined
  readonly output?: string[] | undefined
  readonly ephemeral?: true | undefined
}

/**
 * Starts a run, prints each result, and reports at the end. `stream` is the format that is printed. Resolves to the exit code: 0 if the run passed, 1 if
 * it failed, 2 if it could not judge.
 */
export async function runRehearsal(
  values: ReportValues & {
    readonly observeCommand?: string | undefined
    readonly framework?: FrameworkId | undefined
  },
  start: (session: Session, stream: Format | undefined) => Promise<Rehearsal>,
): Promise<ExitCode> {
  const outputs = outputsOf(values)
  const accepted = acceptedFailures(values.baseline)
  const [{ runFolder }, { openSession }] = await Promise.all([
    import('./running.ts'),
    import('./session.ts'),
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
  const { cancellable } = await import('./stop.ts')
  for (const work of early.splice(0)) work()
  const rehearsal = await cancellable(
    () => session.call('rehearsals.cancel', { id }),
    () => ended.promise,
  )
  showProgress('')
  await report(rehearsal, results, outputs, accepted, explain)
  return exitCodeOf(rehearsal, results, accepted, values.failOn ?? 'fail')
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
  const { version } = await import('./version.ts')
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
