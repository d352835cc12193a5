import { exec } from 'node:child_process'
import { statSync } from 'node:fs'
import type { CliLine } from '#contract/cli-output.ts'
import type { CaseResult, Rehearsal } from '#contract/rehearsal.ts'
import { AppError } from '#engine/platform/errors.ts'
import type { ExitCode } from '../command-line/command.ts'
import { dataFolder, globals } from '../command-line/globals.ts'
import { UsageError } from '../command-line/errors.ts'
import { colored, printMessage, showProgress, writeJson, writeLine } from '../output/output.ts'
import type { Session } from './session.ts'
import { fileExists } from '#engine/platform/file-errors.ts'
import { destinationOf, writeFileAt } from '#engine/platform/save-file.ts'
import { messageOf } from '#shared/text/errors.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { resolvePath } from '../command-line/io.ts'

export const failOn = ['fail', 'warn'] as const
export const formats = ['junit', 'markdown'] as const

const commandTimeoutMs = 10_000

export interface ReportValues {
  readonly failOn?: (typeof failOn)[number] | undefined
  readonly format?: (typeof formats)[number] | undefined
  readonly output?: string | undefined
  readonly force?: true | undefined
  readonly ephemeral?: true | undefined
}

/** Nothing that prevents a run is a failure of what it tests. */
export async function rehearseOrExplain(
  ...[values, start]: Parameters<typeof runRehearsal>
): Promise<ExitCode> {
  try {
    return await runRehearsal(values, start)
  } catch (error) {
    throw error instanceof AppError ? new UsageError(error.message, error.code) : error
  }
}

async function runRehearsal(
  values: ReportValues & {
    observeCommand?: string | undefined
    framework?: string | undefined
  },
  start: (session: Session) => Promise<Rehearsal>,
): Promise<ExitCode> {
  const { format, output } = values
  if ((format === undefined) !== (output === undefined)) {
    throw new UsageError('A report requires --format and -o FILE.')
  }
  if (output !== undefined && !values.force) refuseExisting(output)
  const [{ runFolder }, { openSession }] = await Promise.all([
    import('./running.ts'),
    import('./session.ts'),
  ])
  const folder = values.ephemeral ? runFolder(true) : dataFolder()
  await using session = await openSession(folder, { access: 'create' })
  const framework = values.framework ?? null
  const explain = await explanations(framework)
  const results: CaseResult[] = []
  const endOfRun = Promise.withResolvers<Rehearsal>()
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
      if (globals.json) writeJson('case', { ...result, fix: explain(result).fix })
      else writeLine(caseLine(result))
    }),
  )
  session.on('rehearsals.changed', ({ rehearsal }) =>
    whenStarted(() => {
      if (rehearsal.id !== runId) return
      const next = rehearsal.step ?? null
      if (next !== null && next !== step) {
        showProgress('')
        if (globals.json) writeJson('step', { step: next })
        else printMessage(next)
      }
      step = next
      if (rehearsal.endedAt !== null) endOfRun.resolve(rehearsal)
      else if (!globals.json) showProgress(`${results.length} of ${rehearsal.total} cases`)
    }),
  )
  const { observeCommand } = values
  session.on('rehearsals.observe', ({ id, key }) =>
    whenStarted(() => {
      if (id === runId && observeCommand !== undefined)
        void observe(session, id, key, observeCommand)
    }),
  )
  const { id } = await start(session)
  runId = id
  const { cancellable } = await import('./stop.ts')
  for (const work of early.splice(0)) work()
  const rehearsal = await cancellable(
    () => session.call('rehearsals.cancel', { id }),
    () => endOfRun.promise,
  )
  showProgress('')
  const ended = { rehearsal, results, framework }
  await printEnd(ended, explain)
  if (format !== undefined && output !== undefined) await writeReport(ended, format, output)
  return exitCodeOf(rehearsal, results, values.failOn ?? 'fail')
}

/** Parses one number, perhaps in white space. Throws an error with a sentence. */
export function parseCount(text: string): number {
  const count = Number(text.trim())
  if (text.trim() === '' || !Number.isFinite(count)) {
    const shown = text.trim().slice(0, 40)
    throw new Error(`The observer must print one number, not ${quoteForeign(shown)}.`)
  }
  return count
}

/** The command was written for the folder and the environment of this process. */
async function observe(session: Session, id: number, key: number, shell: string): Promise<void> {
  const reply = await new Promise<{ value: number | null; error: string | null }>((resolve) => {
    exec(shell, { timeout: commandTimeoutMs, maxBuffer: 1024 * 1024 }, (error, output) => {
      try {
        // As `grep -c` does for 0.
        if (error && (error.code !== 1 || output.trim() === ''))
          throw new Error(
            `The command of the observer failed: ${quoteForeign(error.message.trim())}`,
          )
        resolve({ value: parseCount(output), error: null })
      } catch (reason) {
        const message = messageOf(reason)
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

async function explanations(framework: string | null): Promise<Explain> {
  const [{ anyCaseOf }, { fixOfResult }] = await Promise.all([
    import('#catalogue/rehearsal/oauth-cases.ts'),
    import('#engine/handlers/rehearsal/report.ts'),
  ])
  return (result) => {
    const { why = '', basis = null, quote } = anyCaseOf(result.id) ?? {}
    return { fix: fixOfResult(result, framework), why, basis, quote }
  }
}

type FailureGroup = CliLine<'rehearsal'>['failures'][number]

async function failureGroups(
  results: readonly CaseResult[],
  framework: string | null,
): Promise<FailureGroup[]> {
  const { fixOfGroup, groupFailures } = await import('#catalogue/rehearsal/root-causes.ts')
  return groupFailures(results).map(({ cause, title, cases, fix }) => ({
    cause,
    title,
    cases: [...cases],
    fix: fixOfGroup({ fix, cases }, framework),
  }))
}

const styles = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  review: 'cyan',
  skipped: 'gray',
  flaky: 'magenta',
} as const

function caseLine({ id, result, level, received, reason }: CaseResult): string {
  const detail = reason ?? received
  return `${id.padEnd(4)} ${colored(styles[result], result.padEnd(7))}  ${level.padEnd(6)}  ${detail}`.trimEnd()
}

interface Ended {
  readonly rehearsal: Rehearsal
  readonly results: readonly CaseResult[]
  readonly framework: string | null
}

/** Each result was printed as it ended. */
async function printEnd({ rehearsal, results, framework }: Ended, explain: Explain): Promise<void> {
  const { gradeText, reported } = await import('#engine/handlers/rehearsal/report.ts')
  const shown = reported(rehearsal)
  const failures = await failureGroups(results, framework)
  if (globals.json) return writeJson('rehearsal', { ...shown, failures })
  if (failures.length > 0) writeLine('')
  const end = endLines(shown, results, gradeText(shown), failures, explain)
  for (const line of [...failures.flatMap(groupLines), ...end]) writeLine(line)
}

/** Before the run, which may take minutes. Throws `file_exists`, and `file_failed` for a link that is not followed. */
function refuseExisting(file: string): void {
  const found = statSync(resolvePath(file), { throwIfNoEntry: false })
  if (!found) destinationOf(resolvePath(file))
  if (found?.isFile() || found?.isDirectory()) throw fileExists(resolvePath(file))
}

async function writeReport(
  ended: Ended,
  format: (typeof formats)[number],
  file: string,
): Promise<void> {
  const { reportFormats } = await import('#engine/handlers/rehearsal/report.ts')
  const { version } = await import('../version.ts')
  const writer = reportFormats.find(({ id }) => id === format)
  writeFileAt(resolvePath(file), writer?.write({ ...ended, version: version() }) ?? '', false)
  printMessage(`Report: ${file}`)
}

function endLines(
  rehearsal: Rehearsal,
  results: readonly CaseResult[],
  grade: string,
  failures: readonly FailureGroup[],
  explain: Explain,
): string[] {
  const { problem, counts, options, state } = rehearsal
  const { pass, fail, warn, review, skipped, flaky } = counts
  const failed = failures.flatMap(({ cases, fix }) =>
    cases
      .flatMap((id) => results.find((each) => each.id === id) ?? [])
      .map((each) => ({ each, fix })),
  )
  return [
    ...(problem === null
      ? []
      : [problem.message, ...problem.causes.map((cause) => `  - ${cause}`)]),
    ...(results.length > 0 && failures.length === 0 ? [''] : []),
    ...failed.flatMap(({ each, fix }) => {
      const explained = explain(each)
      return failureLines(each, explained.fix === fix ? { ...explained, fix: null } : explained)
    }),
    `${pass} passed, ${fail} failed, ${warn} warned, ${review} to review, ${skipped} skipped, ${flaky} flaky. Seed ${options.seed}.`,
    ...(grade === '' ? [] : [grade]),
    ...(state === 'cancelled' ? ['The rehearsal was cancelled.'] : []),
  ]
}

function fieldLines(label: string, text: string): string[] {
  const [first = '', ...others] = text.split('\n')
  return [
    `  ${`${label}:`.padEnd(10)}${first}`,
    ...others.map((other) => `${' '.repeat(12)}${other}`.trimEnd()),
  ]
}

function groupLines({ title, cases, fix }: FailureGroup): string[] {
  return [
    title,
    ...fieldLines('Cases', cases.join(', ')),
    ...(fix === null ? [] : fieldLines('Fix', fix)),
    '',
  ]
}

function failureLines(
  { id, reason, sent, expected, received, repeat }: CaseResult,
  { fix, why, basis, quote }: Explanation,
): string[] {
  return [
    `${id}: ${reason ?? ''}`,
    ...fieldLines('Sent', sent),
    ...fieldLines('Expected', expected),
    ...fieldLines('Received', received),
    ...fieldLines('Why', why),
    ...(basis === null
      ? []
      : fieldLines('Basis', quote === undefined ? basis : `${basis}: "${quote}"`)),
    ...(fix === null ? [] : fieldLines('Fix', fix)),
    ...fieldLines('Repeat', repeat),
    '',
  ]
}

/** 0: passed; 1: failed; 2: could not judge; 130: cancelled. */
function exitCodeOf(
  { state }: Rehearsal,
  results: readonly CaseResult[],
  limit: (typeof failOn)[number],
): ExitCode {
  if (state === 'cancelled') return 130
  const counts = results.some(
    ({ result, level }) =>
      result === 'fail' ||
      result === 'flaky' ||
      (limit === 'warn' && result === 'warn' && level !== 'INFO'),
  )
  if (counts) return 1
  return state === 'done' ? 0 : 2
}
