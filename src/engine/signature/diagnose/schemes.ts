import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { Header } from '#contract/models.ts'
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
    ...timestampParts(subject, 't'),
    ...timestampParts(subject, 'ts'),
  ]) {
    for (const separator of ['.', '', ':', '\n', '|', '-', '_', ' ']) {
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

/** The secrets that a scheme uses in another form cost nothing extra with it. */
export function belongTo({ implies }: Scheme, codes: readonly CauseCode[]): boolean {
  return codes.length > 0 && codes.every((code) => implies.includes(code))
}
