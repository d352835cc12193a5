import { isObject } from '#shared/json/object.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { readJson } from '../payload/parse-body.ts'
import type { Captured } from './subject.ts'

/** A value of the delivery, which its sender may have used as the key, or signed together with the body. */
export interface OwnValue {
  readonly name: string
  /** "the header “X-Id”" */
  readonly words: string
  readonly bytes: Buffer
}

const least = 4
const most = 200
const maxHeaders = 24
const maxFields = 24
const maxDepth = 3
const maxBody = 256 * 1024
const other =
  /signature|hmac|^(?:content|accept|user-agent|host|connection|via|x-forwarded|authorization|cookie)/
const named = /(?:id|uuid|key|ref|code|type|at|created|date|time|timestamp|nonce)$/i

export function ownValues({ headers, body }: Captured): readonly OwnValue[] {
  const fits = ({ bytes }: OwnValue): boolean =>
    bytes.byteLength >= least && bytes.byteLength <= most
  const ofHeaders = headers
    .filter(([name]) => !other.test(name.toLowerCase()))
    .map(([name, value]) => ({
      name,
      words: `the header ${quoteForeign(name)}`,
      bytes: Buffer.from(value, 'latin1'),
    }))
    .filter(fits)
  const payload = body.byteLength > maxBody ? null : readJson(body)
  const ofBody = [...fieldsOf(payload, '', 1)].filter(fits)
  return [...ofHeaders.slice(0, maxHeaders), ...ofBody.slice(0, maxFields)]
}

function* fieldsOf(value: unknown, path: string, depth: number): Iterable<OwnValue> {
  if (!isObject(value) || depth > maxDepth) return
  for (const [key, each] of Object.entries(value)) {
    const isValue = typeof each === 'string' || typeof each === 'number'
    if (isValue && named.test(key)) {
      const words = `the field ${quoteForeign(path + key)}`
      yield { name: key, words, bytes: Buffer.from(String(each)) }
    } else yield* fieldsOf(each, `${path}${key}.`, depth + 1)
  }
}
