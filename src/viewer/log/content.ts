import type { LogBody } from '#contract/event-log.ts'
import { PageContent } from '#contract/log-page.ts'
import { AppError } from '#engine/errors.ts'
import { bytesOf } from './bodies.ts'
import { readLine } from './read-lines.ts'

/** What is read of a delivery when it is opened or searched. */
export interface Content {
  readonly fields: PageContent
  /** Throws `not_found` with a sentence where the bytes are not here. */
  readonly bytes: (body: LogBody) => Uint8Array
}

const damaged =
  'This delivery cannot be read: the file is damaged here. Ask for the file again, or have it exported anew.'

/** Reads the block of a delivery. Throws `not_found`, with a sentence for people, where it is damaged. */
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
