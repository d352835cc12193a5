import type { DraftContent, DraftProblem } from '#contract/compose.ts'
import type { Captured } from '../../store/captured.ts'
import type { SenderWorld } from '../world.ts'
import { problem, type Composing } from './composing.ts'
import { capturedProblems, unknownPlaceholders } from './draft-problems.ts'
import { readDraftUrl } from './draft-url.ts'
import { namesOf } from './names.ts'
import { Placeholders, type Filling } from './placeholders.ts'

/** A draft, filled in and read. */
interface Read {
  readonly of: Composing
  readonly problems: readonly DraftProblem[]
  /** The body, where placeholders changed it. */
  readonly filled: Uint8Array | null
}

/** Fills in the placeholders, and tells what is still as it was captured. */
export function readDraft(
  content: DraftContent,
  captured: Captured | null,
  filling: Filling,
  world: SenderWorld,
): Read {
  const written = content.body.kind === 'bytes' ? content.body.bytes : (captured?.body ?? empty)
  const texts = content.placeholders
    ? fillAll(content, written, filling)
    : asWritten(content, written)
  const address = readDraftUrl(texts.url)
  const endpoint = world.endpoint(content.endpointId)
  const { body } = texts
  const bodyUnchanged =
    captured !== null &&
    captured.whole &&
    (body === captured.body || Buffer.compare(body, captured.body) === 0)
  // Of a delivery whose endpoint is gone, or that never had one, there is no other secret to sign with unasked.
  const whose = captured && world.endpoint(captured.endpointId)
  const sameEndpoint = captured !== null && (!whose || !endpoint || whose.id === endpoint.id)
  const brand =
    (sameEndpoint ? captured?.brand : endpoint?.brand) ?? captured?.brand ?? world.fallbackBrand
  const of: Composing = {
    content,
    captured,
    endpoint,
    names: namesOf(brand),
    url: address.url,
    values: texts.values,
    // The captured bytes themselves: what is known of them is found again by them.
    body: bodyUnchanged && captured ? captured.body : body,
    bodyUnchanged,
    sameEndpoint,
    world,
  }
  const problems = [
    ...(address.url ? [] : [address.problem]),
    ...texts.problems,
    ...capturedProblems(content, captured),
  ]
  return { of, problems, filled: body === written ? null : body }
}

const empty = new Uint8Array()

interface Texts {
  readonly url: string
  readonly values: readonly string[]
  readonly body: Uint8Array
  readonly problems: readonly DraftProblem[]
}

function asWritten({ url, headers }: DraftContent, body: Uint8Array): Texts {
  return { url, values: headers.map(({ value }) => value), body, problems: [] }
}

function fillAll(content: DraftContent, written: Uint8Array, filling: Filling): Texts {
  const placeholders = new Placeholders(filling)
  const problems: DraftProblem[] = []
  const url = placeholders.fill(content.url)
  problems.push(...unknownPlaceholders(url.unknown, 'url'))
  const values = content.headers.map(({ value, on }, index) => {
    if (!on) return value
    const { text, unknown } = placeholders.fill(value)
    problems.push(...unknownPlaceholders(unknown, 'headers', index))
    return text
  })
  const body = placeholders.fillBytes(written)
  problems.push(...unknownPlaceholders(body.unknown, 'body'))
  if (!body.isText) {
    const message = 'The body is not UTF-8, so its placeholders are not filled in.'
    problems.push(problem('info', 'placeholders.not_text', 'body', message))
  }
  return { url: url.text, values, body: body.bytes, problems }
}
