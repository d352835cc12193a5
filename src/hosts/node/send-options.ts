import { buffer } from 'node:stream/consumers'
import type { Endpoint, Header } from '#contract/models.ts'
import { signFaults, type SignChoice } from '#contract/sending.ts'
import { AppError } from '#engine/errors.ts'
import { headersOf } from './call-request.ts'
import { readGiven } from './given-file.ts'
import { UsageError } from './usage-error.ts'

/** Options of what is sent by hand. */
export const sendOptions = {
  to: { type: 'string' },
  body: { type: 'string' },
  header: { type: 'string', multiple: true },
  sign: { type: 'string' },
  unsigned: { type: 'boolean' },
  'sign-wrong': { type: 'string' },
  timeout: { type: 'string' },
  'allow-target': { type: 'boolean' },
  insecure: { type: 'boolean' },
} as const

export interface SignWords {
  readonly sign?: string | undefined
  readonly unsigned?: boolean | undefined
  readonly keep?: boolean | undefined
  readonly 'sign-wrong'?: string | undefined
}

/** Refuses what contradicts itself, before anything is opened. Throws `UsageError`. */
export function checkSignWords(words: SignWords): void {
  const given = [
    ...(words.sign === undefined ? [] : ['--sign']),
    ...(words.unsigned ? ['--unsigned'] : []),
    ...(words.keep ? ['--keep'] : []),
  ]
  if (given.length > 1) throw new UsageError(`Give ${given.join(' or ')}, not both.`)
  const wrong = words['sign-wrong']
  if (wrong === undefined) return
  if (words.unsigned || words.keep) {
    throw new UsageError(`--sign-wrong signs: leave out ${given.join('')}.`)
  }
  faultOf(wrong)
}

/**
 * What becomes of the signature. A secret is named by which it is (`current`, `previous`), of the delivery's own endpoint, or with the
 * slug of another one before it (`main:current`; `main` alone is its current one). Throws `not_found`.
 */
export function signOf(words: SignWords, endpoints: readonly Endpoint[]): SignChoice {
  if (words.unsigned) return { how: 'none' }
  if (words.keep) return { how: 'keep' }
  const wrong = words['sign-wrong']
  if (words.sign === undefined && wrong === undefined) return { how: 'auto' }
  const secret = secretNamed(words.sign ?? 'current', endpoints)
  return wrong === undefined
    ? { how: 'secret', ...secret }
    : { how: 'broken', ...secret, fault: faultOf(wrong) }
}

function faultOf(word: string): (typeof signFaults)[number] {
  const found = signFaults.find((fault) => fault === word.replaceAll('-', '_'))
  if (found) return found
  throw new UsageError(
    `--sign-wrong takes one of ${signFaults.map((fault) => fault.replaceAll('_', '-')).join(', ')}, not "${word}".`,
  )
}

type Which = 'current' | 'previous'

function secretNamed(
  name: string,
  endpoints: readonly Endpoint[],
): { endpointId: number | null; which: Which } {
  if (isWhich(name)) return { endpointId: null, which: name }
  const at = name.lastIndexOf(':')
  const slug = at === -1 ? name : name.slice(0, at)
  const which = at === -1 ? 'current' : name.slice(at + 1)
  const endpoint = endpoints.find((each) => each.slug === slug)
  if (endpoint && isWhich(which)) return { endpointId: endpoint.id, which }
  throw new AppError(
    'not_found',
    `There is no secret "${name}". Use current, previous, or SLUG:current with one of ${slugsOf(endpoints)}.`,
  )
}

function isWhich(text: string): text is Which {
  return text === 'current' || text === 'previous'
}

function slugsOf(endpoints: readonly Endpoint[]): string {
  return endpoints.map(({ slug }) => slug).join(', ') || 'none'
}

/** The endpoint of this path; the first one where none is named. Throws `not_found`. */
export function endpointOf(endpoints: readonly Endpoint[], slug: string | undefined): Endpoint {
  const found = slug === undefined ? endpoints[0] : endpoints.find((each) => each.slug === slug)
  if (found) return found
  throw new AppError(
    'not_found',
    slug === undefined
      ? 'There is no endpoint. Make one in the interface: tabscope serve'
      : `There is no endpoint "${slug}". There is ${slugsOf(endpoints)}.`,
  )
}

/** Headers as `Name: value`, UTF-8 as it goes over the wire. Throws `UsageError`. */
export function headerPairs(texts: readonly string[] | undefined): Header[] {
  return headersOf(texts ?? []).map(({ name, value }): Header => [
    name,
    Buffer.from(value, 'utf8').toString('latin1'),
  ])
}

/** The bytes of a file, or of stdin for `-`; null where none is named. Throws `bad_input`. */
export async function bytesOf(file: string | undefined): Promise<Uint8Array | null> {
  if (file === undefined) return null
  return file === '-' ? buffer(process.stdin) : readGiven(file)
}
