import { z } from 'zod'
import { Header } from '#contract/models.ts'
import type { HeaderRedaction } from './headers.ts'
import { isMarked } from './pairs.ts'
import { meaningOf } from './names.ts'
import type { TextRedaction } from './text.ts'

const Headers = z.array(Header)
const Message = z.object({ headers: Headers, body: z.string(), bytes: z.number().optional() })
const Fact = z.object({ name: z.string(), value: z.string() })

/** Words of ours, which branch what reads them. */
const ours: ReadonlySet<string> = new Set([
  'kind',
  'outcome',
  'state',
  'agent',
  'severity',
  'standing',
])

/**
 * Takes out of a record of ours (a run, the life of a token, an integration) what must go. Every text is looked at; markers stay. The shape
 * stays what it was.
 */
export function redactRecord<T>(
  record: T,
  texts: TextRedaction,
  headers: HeaderRedaction,
  where: string,
): T {
  const walk = (value: unknown, key: string, depth: number): unknown => {
    if (typeof value === 'string') {
      const place = { say: () => where, id: meaningOf(key).id }
      return ours.has(key) ? value : texts.redact(value, place)
    }
    if (value === null || typeof value !== 'object' || depth > 20) return value
    if (Array.isArray(value)) {
      const list = key === 'headers' ? Headers.safeParse(value).data : undefined
      return list
        ? headers.redact(list, `${where} header`)
        : value.map((one: unknown) => walk(one, key, depth + 1))
    }
    const fact = Fact.strict().safeParse(value).data
    if (fact) return factOf(fact)
    const walked = Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        // Four characters of a secret are four too many for a file that leaves.
        name === 'ending' ? null : walk(one, name, depth + 1),
      ]),
    )
    return withoutLengths(value, walked)
  }
  /** A message of a record: what was taken out of its body must not be told by its length or its digests. */
  const withoutLengths = (was: object, walked: Record<string, unknown>): unknown => {
    const message = Message.safeParse(was).data
    const { body } = walked
    if (!message || typeof body !== 'string' || body === message.body) return walked
    return {
      ...walked,
      headers: headers.redact(message.headers, `${where} header`, true),
      ...(message.bytes === undefined ? {} : { bytes: Buffer.byteLength(body) }),
    }
  }
  const factOf = ({ name, value }: z.infer<typeof Fact>): z.infer<typeof Fact> => {
    const place = { say: () => where, id: meaningOf(name).id }
    const kind = isMarked(value) ? null : texts.kindUnder(name.replaceAll(' ', '_'), value)
    return {
      name: texts.redact(name, place),
      value: kind ? texts.taking.take(kind, value, place) : texts.redact(value, place),
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts become texts, and all else is handed on as it is
  return walk(record, '', 0) as T
}
