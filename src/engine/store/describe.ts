import { hash } from 'node:crypto'
import { titleOf } from '#catalogue/catalogue.ts'
import { parseBody } from '../capture/parse-body.ts'

/** What a row says of its body for people. Not needed for the answer, so the writer does it. */
export interface Description {
  /** One line for the list. */
  readonly title: string
  /** Hex SHA-256 of the body as kept. */
  readonly sha256: string
}

/** Pure. */
export function describe(body: Uint8Array): Description {
  return { title: title(body), sha256: hash('sha256', body, 'hex') }
}

function title(body: Uint8Array): string {
  const parsed = parseBody(body)
  switch (parsed.kind) {
    case 'object':
      return titleOf(parsed.payload)
    case 'empty':
      return 'No body'
    case 'not_utf8':
      return 'Body is not UTF-8'
    case 'not_json':
      return 'Body is not JSON'
    case 'not_object':
      return 'Body is JSON, but no object'
  }
}
