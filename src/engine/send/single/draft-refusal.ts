import type { DraftProblem } from '#contract/compose.ts'
import { AppError } from '../../errors.ts'

/** So many sentences are told at once. */
const mostTold = 3

/** What keeps a draft from being sent, as an error; null: nothing does. */
export function refusalOf(problems: readonly DraftProblem[]): AppError | null {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (!first) return null
  const message = errors
    .slice(0, mostTold)
    .map((problem) => problem.message)
    .join(' ')
  return new AppError(codeOf(first.code), message, {
    details: { problems: errors.map(({ code }) => code) },
  })
}

function codeOf(problem: string): AppError['code'] {
  if (problem.startsWith('url.')) return 'bad_target'
  if (problem === 'sign.no_secret') return 'secret_unavailable'
  return problem === 'body.gone' ? 'not_found' : 'bad_input'
}
