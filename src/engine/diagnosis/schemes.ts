import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { Header } from '#contract/models.ts'
import { ownValues } from './own-values.ts'
import type { Captured, Subject } from './subject.ts'

/** What a well-known scheme signs in addition to the body. Only with evidence in the request. */
export interface Scheme {
  readonly code: CauseCode
  readonly cost: number
  /** "timestamp and body" */
  readonly words: string
  readonly before: Buffer
  readonly after: Buffer
  /** Causes that are part of the scheme and are not reported separately. */
  readonly implies: readonly CauseCode[]
  /** Not with another change of the text, nor another algorithm, which would be too unlikely. */
  readonly alone?: boolean
}

const maxHeaders = 4
const listCodes = [
  'encoding.version_prefix',
  'encoding.list',
  'encoding.name',
  'header.other_name',
] as const
const keyCodes = ['secret.base64_decoded', 'secret.prefix_decoded', 'secret.prefix'] as const

function valuesOf({ headers, trailers }: Captured, name: RegExp): string[] {
  return [...headers, ...trailers]
    .filter(([header]) => name.test(header.toLowerCase()))
    .map(([, value]) => value)
    .slice(0, maxHeaders)
}

function timestampsIn(captured: Captured): string[] {
  return valuesOf(captured, /(?:^|[-_])(?:timestamp|time|ts)$/).filter((value) => value !== '')
}

/** `1/1732842000/…` */
function timesBetweenSlashes({ received, elsewhere }: Subject): string[] {
  return [...received, ...elsewhere.map(([, value]) => value)]
    .flatMap((value) => value.split('/').filter((part) => /^\d{10,13}$/.test(part)))
    .slice(0, maxHeaders)
}

function timestampParts({ received, elsewhere }: Subject, name: 't' | 'ts'): string[] {
  const part =
    name === 't' ? /(?:^|[,;\s])t=(\d{1,20})(?:[,;\s]|$)/ : /(?:^|[,;\s])ts=(\d{1,20})(?:[,;\s]|$)/
  return [...received, ...elsewhere.map(([, value]: Header) => value)]
    .flatMap((value) => part.exec(value)?.[1] ?? [])
    .slice(0, maxHeaders)
}

/** Proxies and tunnels report another host. */
function addressesOf(captured: Captured): string[] {
  const { path, method } = captured
  const hosts = valuesOf(captured, /^(?:host|x-forwarded-host|x-original-host)$/)
  const origins = hosts.flatMap((host) => [`https://${host}`, `http://${host}`])
  return [
    ...origins.map((origin) => `${origin}${path}`),
    path,
    `${method} ${path}\n`,
    `${method}${path}`,
  ]
}

export function schemesOf(subject: Subject): Scheme[] {
  const { captured } = subject
  const schemes: Scheme[] = []
  const add = (
    code: CauseCode,
    cost: number,
    words: string,
    before: string,
    after = '',
    implies: readonly CauseCode[] = listCodes,
  ): void => {
    schemes.push({
      code,
      cost,
      words,
      before: Buffer.from(before, 'latin1'),
      after: Buffer.from(after, 'latin1'),
      implies,
    })
  }
  const times = timestampsIn(captured)
  for (const id of valuesOf(captured, /(?:^|-)(?:webhook|svix|message|msg|delivery)-?id$/)) {
    for (const time of times) {
      const implied = [...listCodes, ...keyCodes, 'encoding.base64'] as const
      add('scheme.standard_webhooks', 1, 'ID, timestamp and body', `${id}.${time}.`, '', implied)
    }
  }
  for (const time of timestampParts(subject, 't'))
    add('scheme.stripe', 1, 'timestamp and body', `${time}.`)
  for (const time of timestampParts(subject, 'ts'))
    add('scheme.paddle', 1, 'timestamp and body', `${time}:`)
  for (const time of times) {
    for (const version of ['v0', 'v1']) {
      add('scheme.slack', 2, 'version, timestamp and body', `${version}:${time}:`)
    }
  }
  for (const time of [
    ...times,
    ...timesBetweenSlashes(subject),
    ...timestampParts(subject, 't'),
    ...timestampParts(subject, 'ts'),
  ]) {
    for (const separator of separators) {
      const cost = separator === '.' || separator === '' ? 2 : 3
      add('scheme.timestamp', cost, 'timestamp and body', time + separator, '', [
        'header.other_name',
      ])
      add('scheme.timestamp', cost, 'body and timestamp', '', separator + time, [
        'header.other_name',
      ])
    }
  }
  for (const address of addressesOf(captured)) {
    add('scheme.url', 3, 'URL and body', address, '', ['header.other_name'])
    add('scheme.url', 3, 'body and URL', '', address, ['header.other_name'])
  }
  return schemes
}

const separators = ['.', '', ':', '\n', '|', '-', '_', ' ', '/'] as const
const alone = { cost: 4, implies: ['header.other_name'], alone: true } as const
const nothing = Buffer.alloc(0)

/** A value of the delivery before or after the body, alone or with method and path. */
export function ownSchemes({ captured }: Subject): Scheme[] {
  const { method, path } = captured
  const values = ownValues(captured)
  const times = values.filter(({ name }) => /(?:date|time|timestamp|at|created)$/i.test(name))
  const requests = times.flatMap(({ words, bytes }) => {
    const time = bytes.toString('latin1')
    return [
      [method, path, time],
      [method, time, path],
      [time, method, path],
      [path, time],
      [time, path],
    ].map((parts) => ({ words: `method or path, ${words}`, parts }))
  })
  return [
    ...values.map(({ words, bytes }) => ({ words, parts: [bytes.toString('latin1')] })),
    ...requests,
    { words: 'method, path', parts: [method, path] },
    ...addressesOf(captured).flatMap((url) => [
      { words: 'URL', parts: [url] },
      { words: 'method, URL', parts: [method, url] },
    ]),
  ].flatMap(({ words, parts }) =>
    separators.flatMap((separator): Scheme[] => {
      const text = parts.join(separator)
      const code = words.endsWith('URL') ? 'scheme.url' : 'scheme.field'
      const of = { ...alone, code } as const
      const before = Buffer.from(text + separator, 'latin1')
      const after = Buffer.from(separator + text, 'latin1')
      return [
        { ...of, words: `${words} and body`, before, after: nothing },
        { ...of, words: `body and ${words}`, before: nothing, after },
      ]
    }),
  )
}

/** The secrets that a scheme uses in another form cost nothing extra with it. */
export function belongTo({ implies }: Scheme, codes: readonly CauseCode[]): boolean {
  return codes.length > 0 && codes.every((code) => implies.includes(code))
}
