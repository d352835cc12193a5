import type { LogBody, LogRehearsalRequest } from '#contract/event-log.ts'
import { PageContent, PagePart, type PageBlockKind } from '#contract/log-page.ts'
import { AppError } from '#engine/platform/errors.ts'
import { joinBytes } from '#shared/bytes/text.ts'
import { parseJson } from '#shared/json/object.ts'
import type { z } from 'zod'

const encoder = new TextEncoder()

/** Returns the bytes of a body; null if it is omitted or damaged. `lines`: the lines of its block after the second. */
function bytesOf(body: LogBody, lines: readonly string[]): Uint8Array | null {
  if ('text' in body) return encoder.encode(body.text)
  if ('base64' in body) return fromBase64(body.base64)
  if ('omitted' in body) return null
  const pieces = lines.flatMap((line) => {
    const part = readLine(PagePart, line)
    return part?.key === body.key ? [part.base64] : []
  })
  return pieces.length === body.parts ? joinBytes(pieces.map(fromBase64)) : null
}

/** Returns the bytes of a body that is never divided. */
export function smallBytesOf(body: LogRehearsalRequest['request']['body']): Uint8Array {
  return 'text' in body ? encoder.encode(body.text) : fromBase64(body.base64)
}

function fromBase64(base64: string): Uint8Array {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The data of a delivery that is read when it is opened or searched. */
export interface Content {
  readonly fields: PageContent
  /** Throws `not_found` with a message if the body is not available. */
  readonly bytes: (body: LogBody) => Uint8Array
}

const damaged =
  'This delivery cannot be read because the file is damaged. Get the file again, or request a new export.'

/** Reads the block of a delivery. Throws `not_found` with a message if it is damaged. */
export function readContent(block: string): Content {
  const [, second = '', ...parts] = block.split('\n')
  const fields = readLine(PageContent, second)
  if (fields === null) throw new AppError('not_found', damaged)
  return {
    fields,
    bytes: (body) => {
      if ('omitted' in body) throw new AppError('not_found', body.omitted)
      const bytes = bytesOf(body, parts)
      if (bytes === null) throw new AppError('not_found', damaged)
      return bytes
    },
  }
}

/** The text of each block of the page, read on demand because a page may have tens of thousands of blocks. */
export interface Blocks {
  readonly of: (kind: PageBlockKind) => readonly (() => string)[]
}

/** Returns the blocks of a document. Their content is never parsed as HTML. */
export function blocksIn(document: Document): Blocks {
  return {
    of: (kind) =>
      Array.from(
        document.querySelectorAll(`script[data-log="${kind}"]`),
        (element) => () => element.textContent,
      ),
  }
}

/** Parses a line of a block; null if it is damaged. */
export function readLine<S extends z.ZodType>(schema: S, line: string): z.output<S> | null {
  return schema.safeParse(parseJson(line)).data ?? null
}

/** Returns the first line of a text. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}
