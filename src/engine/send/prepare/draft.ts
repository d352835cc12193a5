import type { DraftContent, DraftProblem, Preview } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import type { Captured } from '../../store/captured.ts'
import type { SenderWorld } from '../world.ts'
import { findingsOf } from './draft-findings.ts'
import { composeHeaders } from './draft-headers.ts'
import { sha256Of, verdictOf } from './digests.ts'
import { bodyProblems, methodProblems } from './draft-problems.ts'
import { decideSignature } from './draft-signature.ts'
import { sameHeaders, withoutHeader } from './header-list.ts'
import { headerProblems } from './header-problems.ts'
import type { Filling } from './placeholders.ts'
import type { Prepared } from './prepare.ts'
import { readDraft } from './read-draft.ts'
import { requestTarget } from './request-target.ts'
import { isChunked } from './resend-headers.ts'

export interface PreparedDraft {
  /** Null: one of the problems is an `error`. */
  readonly prepared: Prepared | null
  readonly problems: readonly DraftProblem[]
  readonly preview: Preview
}

/** A draft, as far as it can be made ready. Never throws for what is written: that is in `problems`. `captured`: the delivery it comes from. */
export function prepareDraft(
  content: DraftContent,
  captured: Captured | null,
  filling: Filling,
  world: SenderWorld,
): PreparedDraft {
  const { of, problems: read, filled } = readDraft(content, captured, filling, world)
  const { body, bodyUnchanged, url, endpoint } = of
  const composed = composeHeaders(of, decideSignature(of))
  const headers = composed.rows.map(({ name, value }): Header => [name, value])
  const trailers = captured && isChunked(headers) ? captured.trailers : []
  const problems = [
    ...methodProblems(content.method),
    ...read,
    ...headerProblems(composed.rows, of),
    ...bodyProblems(headers, body),
    ...composed.problems,
  ]
  const unchanged =
    captured !== null &&
    bodyUnchanged &&
    content.method === captured.method &&
    trailers.length === captured.trailers.length &&
    sameHeaders(withoutHeader(headers, 'host'), withoutHeader(captured.headers, 'host'))
  const signatures = composed.rows.filter(
    ({ name }) => name.toLowerCase() === of.names.lower.signature,
  )
  const { secretName, signing } = composed
  const preview: Preview = {
    headers: [...composed.rows],
    leftOut: [...composed.leftOut],
    bytes: body.byteLength,
    sha256: sha256Of(body),
    filled,
    signature: {
      value: signatures[0]?.value ?? null,
      secretName,
      verdict: verdictOf(
        body,
        signatures.map(({ value }) => value),
        endpoint,
      ),
    },
    unchanged,
    bodyUnchanged,
    problems,
    findings: [...findingsOf({ method: content.method, headers, body }, endpoint)],
  }
  const sendable = url !== null && !problems.some(({ severity }) => severity === 'error')
  const request = url && {
    method: content.method,
    url,
    target: requestTarget(url, captured?.path ?? ''),
    headers,
    body,
    trailers,
  }
  const prepared =
    sendable && request
      ? {
          request,
          edited: !unchanged,
          bodyEdited: !bodyUnchanged,
          signing,
          secretName,
          notes: notesOf(problems),
          asStored: false,
          sha256: preview.sha256,
        }
      : null
  return { prepared, problems, preview }
}

/** What of the problems is worth keeping with an attempt. */
function notesOf(problems: readonly DraftProblem[]): string[] {
  return problems
    .filter(({ severity, code }) => severity === 'warning' || code === 'sign.left_out')
    .map(({ message }) => message)
}
