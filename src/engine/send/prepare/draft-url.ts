import type { DraftProblem } from '#contract/compose.ts'
import { AppError } from '../../errors.ts'
import { parseTarget } from '../target/look.ts'
import { problem } from './composing.ts'

/** The address of a draft as it is written, or what is wrong with it. */
export function readDraftUrl(text: string): { url: URL } | { url: null; problem: DraftProblem } {
  const written = text.trim()
  if (written === '') {
    const message = 'Write where it goes, such as http://localhost:3000/webhooks.'
    return { url: null, problem: problem('error', 'url.empty', 'url', message) }
  }
  try {
    return { url: parseTarget(written) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { url: null, problem: problem('error', codeOf(written), 'url', error.message) }
  }
}

function codeOf(text: string): string {
  if (!URL.canParse(text)) return 'url.invalid'
  const { protocol, username, password } = new URL(text)
  // `localhost:3000` parses, with a scheme of that name.
  if (/^[\w.-]+:\d+(?:[/?#]|$)/.test(text)) return 'url.invalid'
  if (protocol !== 'http:' && protocol !== 'https:') return 'url.scheme'
  return username !== '' || password !== '' ? 'url.credentials' : 'url.invalid'
}
