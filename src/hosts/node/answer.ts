import { isUtf8 } from 'node:buffer'
import type { ApiExchange } from '#contract/api.ts'
import type { TokenView } from '#contract/tokens.ts'
import { AppError } from '#engine/errors.ts'
import type { Session } from './session.ts'
import { printable } from '../printable.ts'

const sliceBytes = 4 * 1024 * 1024

export interface AnswerBody {
  readonly bytes: Buffer
  /** False: its content encoding does not undo, and it is as it came. */
  readonly decoded: boolean
}

/** The body of the last answer, decoded; as it came where its encoding does not undo. */
export async function bodyOf(
  session: Session,
  { id, bytesKept }: ApiExchange,
): Promise<AnswerBody> {
  if (bytesKept === 0) return { bytes: Buffer.alloc(0), decoded: true }
  try {
    return { bytes: await slices(session, id, true), decoded: true }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'bad_input')) throw error
    return { bytes: await slices(session, id, false), decoded: false }
  }
}

async function slices(session: Session, id: number, decoded: boolean): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (let offset = 0; ;) {
    const part = await session.call('api.body', { id, offset, length: sliceBytes, decoded })
    parts.push(part.bytes)
    offset += part.bytes.byteLength
    if (offset >= part.size || part.bytes.byteLength === 0) return Buffer.concat(parts)
  }
}

/** An answer as scripts read it. A body that is no text comes in Base64. */
export function answerEvent(exchange: ApiExchange, body: Buffer): object {
  const { status, hops, advice, error } = exchange
  const last = hops.at(-1)
  const text = isUtf8(body) ? body.toString('utf8') : null
  return {
    event: 'answer',
    status,
    headers: last?.answer?.headers ?? [],
    body: status === null ? null : text,
    ...(text === null ? { bodyBase64: body.toString('base64') } : {}),
    timings: last?.timings ?? null,
    advice,
    hops,
    error,
  }
}

/** Status line and headers of the last answer, as they go before a body; empty when none came. */
export function headOf({ hops }: ApiExchange): string {
  const answer = hops.at(-1)?.answer
  if (!answer) return ''
  const { httpVersion, status, statusText, headers } = answer
  return [
    `HTTP/${printable(httpVersion)} ${status} ${printable(statusText)}`.trimEnd(),
    ...headers.map(([name, value]) => `${printable(name)}: ${printable(value)}`),
    '',
    '',
  ].join('\n')
}

/** What is said beside the body: the way it took, the status, and what the service's document says of it. */
export function answerNotes(
  exchange: ApiExchange,
  { decoded }: AnswerBody,
  token: TokenView | null,
): string[] {
  const { status, hops, took, error, advice } = exchange
  const on = hops.slice(1).map(({ reason, request, withToken }) => {
    const how = reason === 'retried' ? 'Tried once more' : 'Redirected'
    return `${how}: ${printable(request.url)}${withToken ? '' : ', without the token'}`
  })
  const text = hops.at(-1)?.answer?.statusText ?? ''
  const who = token
    ? `with token ${token.id}${token.label ? ` (${printable(token.label)})` : ''}`
    : 'without a token'
  return [
    ...on,
    ...(decoded ? [] : ['The body is as it came: what its Content-Encoding says does not undo.']),
    status === null
      ? printable(error ?? 'No answer came.')
      : `${status} ${printable(text)}`.trimEnd() + ` in ${Math.round(took)} ms, ${who}`,
    ...(status !== null && error !== null ? [printable(error)] : []),
    ...(advice
      ? [`${printable(advice.message)} (the service's document, "${printable(advice.section)}")`]
      : []),
  ]
}
