import type { Attempt } from '#contract/sending.ts'
import type { ExportedAttempt } from '../../items.ts'
import { isoTime } from '../iso-time.ts'
import { milliseconds } from './facts.ts'
import { code, sentence } from './inline.ts'

/** The last ones are told. */
const shown = 10

const done: Readonly<Record<Attempt['kind'], string>> = {
  resend: 'sent again',
  compose: 'composed and sent',
  forward: 'forwarded',
  pass_through: 'passed through',
}

/** A line for each attempt, oldest first. */
export function attemptLines(attempts: readonly ExportedAttempt[]): string[] {
  const earlier = attempts.length - shown
  return [
    ...(earlier > 0 ? [`- … and ${earlier} earlier`] : []),
    ...attempts.slice(-shown).map(({ fields }) => `- ${attemptLine(fields)}`),
  ]
}

function attemptLine({ at, kind, method, url, status, error, took, edited }: Attempt): string {
  const what = `${code(isoTime(at))} ${done[kind]}${edited ? ', edited' : ''}: ${code(`${method} ${url}`)}`
  const came =
    status === null
      ? `no answer. ${error ? sentence(error.message) : ''}`.trim()
      : `${status} in ${milliseconds(took)}`
  return `${what}, ${came}`
}
