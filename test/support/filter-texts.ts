import type { Filter } from '#contract/filter/ast.ts'
import { filterFields } from '#contract/filter/fields.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { places, spots, tabNames, tags, targets, types, words } from './facts.ts'
import { pick, type Random } from './random-filter.ts'

export function parsed(text: string): Filter {
  const result = parseFilter(text)
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`)
  return result.filter
}

const paths = [
  'data.total',
  'data.name',
  'data."odd \\"key\\\\."',
  'data.items.price',
  'data.items',
  'data.gone',
  'body.type',
  'body.data.total',
  'body.data.total.x',
]
const json = [
  '100',
  '>99',
  '>=100',
  '<0',
  '"200"',
  '200',
  '"100"',
  'true',
  'false,null',
  '!=100',
  '>"1"',
  '<="Fries"',
  'Fr*',
  '*',
  '!=*',
  '"*"',
  'Fries,5',
]

/** Values of each field but `data` and `body`, existing and missing. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  verdict: ['valid', 'invalid,missing', '!=unsigned', 'VALID'],
  finding: [
    'header.*',
    'header.missing',
    'none',
    'body.empty,data.*',
    '!=data.extra',
    'x',
    '!=none',
  ],
  severity: ['error', 'info,warning', '!=error'],
  ref: ['tab-1', 'tab-9', '7,tab-2', '!=tab-1', '"A*B"', 'none'],
  endpoint: ['sandbox', '"pier nine"', '3', 'none', 'PIER*', '!=1', 'gone', 'none,2'],
  integration: ['sandbox', '"harbour group"', '2', 'none', 'HARB*', '!=1', 'gone', 'none,2'],
  number: ['>=20', '<40', '>=7000', '<8000', '7001,7002', '!=7003', '>99999'],
  status: ['200', '>=400', '<300', 'none', 'none,404', '!=200', '!=none', '>599'],
  handler: [
    'ok',
    'failed',
    'none',
    'FAILED,none',
    'no_response',
    '404,ok',
    '>=400',
    '<300',
    '!=ok',
    '0',
    '!=none',
    '500,404',
  ],
  'verdict-at-arrival': ['valid', 'INVALID,missing', '!=unchecked', 'unsigned'],
  own: ['send', 'forward,SEND', 'none', '!=send', '!=FORWARD'],
  answered: ['rule', 'target', 'hold', 'none', 'none,rule', '!=none'],
  via: ['tunnel', 'none', 'TUNNEL,none', '!=tunnel', '!=none', 'relay', 'relay,none'],
  relay: ['Team', 'none', 'T*', 'Other,none', '!=Team', '!=none', 'team'],
  receiver: ['gate', 'none', 'g*', 'pier,none', '!=gate', '!=none', 'Gate'],
  lag: ['>5s', '<=0', '<-1s', 'none', '>=3000000ms'],
  size: ['0', '>100', '<=90b', '!=0', '>1kb'],
  since: ['59m', '40m', '1ms', '10h', '2500s'],
  before: ['59m', '40min', '1ms', '10h', '2500s'],
  until: ['59m', '40min', '1ms', '10h', '2500s'],
  created: ['<59m', '>=40min', '>10h', 'none', '<=2500s'],
  outcome: ['ok', 'rejected', 'INVALID,missing', 'refused', '!=ok'],
  cause: ['secret.*', 'header.brand', 'none', '!=body.pretty', 'none,body.*'],
  total: ['42.5', '42.50', '>100', '<=0', 'none', '!=42.5', 'none,0'],
  zone: ['patio', 'none', 'PAT*', '!=bar'],
  item: ['"pale ale"', 'creme', 'f*', 'none', '!=fries'],
  order: ['miller', 'order-1', 'none', 'ORDER-*', '!=miller'],
  guest: ['miller', 'guest-1', 'none', 'GUEST-*,none', '!=miller'],
  header: [
    'x-id',
    'X-Id=app-3',
    'x-id=app-*',
    'x-id!=app-1',
    'x-id="A,b",app-2',
    'gone',
    'x-id=Zoë',
    'X-Service-Event-Type=OPEN_TAB',
  ],
  is: [
    'duplicate',
    'pinned',
    'noted',
    'tagged',
    'answered',
    'unanswered',
    'pinned,noted',
    '!=duplicate',
  ],
  repeats: ['body', 'event', 'none', 'none,body', '!=event'],
  contains: ['rie', 'RIE', '"t4 pa"', 'p*9', '!=afé', 'x-serv', '"a*b"', '":"'],
  note: ['them', '"ASK them"', 'wrong*total', '"a*b"', 'a*b', '!=them'],
  method: ['POST', 'post', 'P*', '!=GET'],
  path: ['/hooks/*', '/elsewhere', '"/a*b"', '/hooks/pier-9?x=1', '*?*'],
  secret: ['current', 'none', 'p*', '!=current'],
  arrival: ['complete', 'cut_off,malformed', '!=complete'],
  type: ['*TAB', 'O*', 'none,NEW*', '!=*'],
  location: ['*9', 'P*r*9', '!=*i*', 'none'],
  target: ['tab-*', '*', '!=A*B'],
  spot: ['t*', 'BAR*', '!=none'],
  tab: ['cafe*', 'TAB-*', '!=none'],
  tag: ['b*', '*'],
}
/** Fields whose values are mostly those of a random delivery. */
const listed: Readonly<Record<string, readonly (string | null)[]>> = {
  type: types,
  location: places,
  target: targets,
  spot: [...spots, null],
  tab: [...tabNames, 'tab-2', null],
  tag: tags,
}

/** A term for the field. */
export function randomTerm(random: Random, field: string): string {
  if (field === 'data' || field === 'body') {
    const own = paths.filter((path) => path.startsWith(field))
    return `${pick(random, own)}:${pick(random, json)}`
  }
  const values = listed[field]
  if (values && random() < 0.7) {
    const list = Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(random, values))
    const written = list.map((value) => (value === null ? 'none' : JSON.stringify(value)))
    return `${field}:${random() < 0.2 ? '!=' : ''}${written.join(',')}`
  }
  const terms = fixed[field]
  if (!terms) throw new Error(`no terms of ${field}`)
  return `${field}:${pick(random, terms)}`
}

/** Free text, including words that must not be parsed as operators. */
export const texts = [
  ...words,
  'cafe',
  'FRIES',
  'pal*',
  'ale pale',
  'patio"',
  'app-3',
  'open_tab',
  'host 127',
  "' OR 1=1 --",
  'NEAR(a b)',
  'body : Fries',
  '200 AND 7',
  'total*',
  '100.50',
  '100.00',
]

/** A random filter with up to this many levels. */
export function randomFilterText(random: Random, depth: number): string {
  const kind = depth === 0 ? 'term' : pick(random, ['and', 'and', 'or', 'not', 'text', 'term'])
  const inner = (): string => `(${randomFilterText(random, depth - 1)})`
  switch (kind) {
    case 'and':
      return `${inner()} ${inner()} ${randomFilterText(random, 0)}`
    case 'or':
      return `${inner()} or ${inner()}`
    case 'not':
      return `-${inner()}`
    case 'text':
      return JSON.stringify(pick(random, texts))
    default:
      return randomTerm(random, pick(random, filterFields).name)
  }
}
