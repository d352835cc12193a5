import type { DraftContent, DraftProblem } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import type { Captured } from '../../store/captured.ts'
import { problem } from './composing.ts'
import { connectFault, isToken } from './header-faults.ts'
import { isNoJson, saysJson } from './declares-json.ts'
import { placeholderNames } from './placeholders.ts'
import { shownName } from './shown-name.ts'

export function methodProblems(method: string): DraftProblem[] {
  if (!isToken(method)) {
    const message = 'The method is not one word of letters. Use one such as POST.'
    return [problem('error', 'method.token', 'method', message)]
  }
  // RFC 9110, 9.1: methods are told apart by case.
  if (method !== 'CONNECT') return []
  return [problem('error', 'method.connect', 'method', connectFault)]
}

/** A body as captured of a delivery that is gone, or of which only the beginning was kept. */
export function capturedProblems(content: DraftContent, captured: Captured | null): DraftProblem[] {
  if (content.body.kind !== 'captured') return []
  if (!captured) {
    const message =
      'The delivery that this comes from is not there any more, and its body with it. Write a body of your own.'
    return [problem('error', 'body.gone', 'body', message)]
  }
  if (captured.whole) return []
  const message = 'Only the beginning of the captured body was kept. Write a body of your own.'
  return [problem('error', 'body.partial', 'body', message)]
}

/** What readers will stumble over; it goes out all the same. */
export function bodyProblems(headers: readonly Header[], body: Uint8Array): DraftProblem[] {
  const problems: DraftProblem[] = []
  if (saysJson(headers) && isNoJson(body)) {
    const message = 'Content-Type says JSON, but the body is not JSON. It goes out all the same.'
    problems.push(problem('warning', 'body.not_json', 'body', message))
  }
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    const message =
      'The body begins with a byte order mark, which many JSON parsers refuse (RFC 8259, 8.1).'
    problems.push(problem('warning', 'body.bom', 'body', message))
  }
  return problems
}

/** So many are named of one place: more say nothing new. */
const mostUnknown = 5

export function unknownPlaceholders(
  unknown: readonly string[],
  field: 'url' | 'headers' | 'body',
  header: number | null = null,
): DraftProblem[] {
  return unknown.slice(0, mostUnknown).map((whole) => {
    const message = `${shownName(whole)} is no placeholder, and goes out as it stands. There are ${placeholderNames}.`
    return problem('info', 'placeholders.unknown', field, message, header)
  })
}
