import type { Run, RunStep, RunSummary } from '#contract/authorization.ts'
import type { ReceivedAnswer, SentRequest } from '#contract/http.ts'
import { coloured } from './output.ts'
import { facts, formatTime } from './text.ts'
import { printable } from '../printable.ts'

const styles = {
  running: 'yellow',
  waiting: 'yellow',
  succeeded: 'green',
  failed: 'red',
} as const

/** One run on a line. */
export function runLine({
  id,
  kind,
  state,
  startedAt,
  endedAt,
  tokenId,
  failure,
}: RunSummary): string {
  return [
    coloured('gray', String(id).padStart(4)),
    coloured('gray', formatTime(startedAt)),
    kind.padEnd(9),
    coloured(styles[state], state.padEnd(9)),
    endedAt === null ? '' : coloured('gray', `${((endedAt - startedAt) / 1000).toFixed(1)} s`),
    failure ? `${failure.code}  ${printable(failure.message)}` : '',
    !failure && tokenId !== null ? `token ${tokenId}` : '',
  ]
    .filter(Boolean)
    .join('  ')
}

/** A run step by step, as it is kept: what is secret stands as a marker. */
export function runText(run: Run): string {
  const { failure, findings } = run
  return [
    runLine(run),
    ...run.steps.flatMap(stepLines),
    ...findings.map(({ code, message }) => `${printable(code)}  ${printable(message)}`),
    ...(failure ? [printable(failure.meaning), printable(failure.remedy)] : []),
  ].join('\n')
}

const marks: Readonly<Record<RunStep['outcome'], string>> = {
  ok: coloured('green', '✓'),
  failed: coloured('red', '✗'),
  waiting: '…',
  note: '–',
}

function stepLines({ title, outcome, took, detail, facts: rows, ...step }: RunStep): string[] {
  const time = took === null ? '' : coloured('gray', ` ${Math.round(took)} ms`)
  return [
    `${marks[outcome]} ${coloured('bold', printable(title))}${time}`,
    ...(detail === null ? [] : [`  ${printable(detail)}`]),
    ...(rows.length === 0 ? [] : indented(facts(rows.map(({ name, value }) => [name, value])))),
    ...(step.request ? indented(requestText(step.request)) : []),
    ...(step.answer ? indented(answerText(step.answer)) : []),
  ]
}

function requestText({ method, url, headers, body }: SentRequest): string {
  return message(`${method} ${url}`, headers, body)
}

function answerText({ status, statusText, headers, body }: ReceivedAnswer): string {
  return message(`${status} ${statusText}`.trimEnd(), headers, body)
}

function message(
  first: string,
  headers: readonly (readonly [string, string])[],
  body: string | null,
): string {
  return [
    printable(first),
    ...headers.map(([name, value]) => `${printable(name)}: ${printable(value)}`),
    // Line breaks of the body are its own; every other control character is escaped.
    ...(body === null ? [] : body.split('\n').map(printable)),
  ].join('\n')
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`.trimEnd())
}
