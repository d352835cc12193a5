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

/** A term for each field, with existing and missing values. */
export function randomTerm(random: Random, field: string): string {
  const several = (values: readonly (string | null)[]): string => {
    const list = Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(random, values))
    const written = list.map((value) => (value === null ? 'none' : JSON.stringify(value)))
    return `${field}:${random() < 0.2 ? '!=' : ''}${written.join(',')}`
  }
  const one = (...terms: string[]): string => `${field}:${pick(random, terms)}`
  switch (field) {
    case 'type':
      return random() < 0.8 ? several(types) : one('*TAB', 'O*', 'none,NEW*', '!=*')
    case 'verdict':
      return one('valid', 'invalid,missing', '!=unsigned', 'VALID')
    case 'finding':
      return one(
        'header.*',
        'header.missing',
        'none',
        'body.empty,data.*',
        '!=data.extra',
        'x',
        '!=none',
      )
    case 'severity':
      return one('error', 'info,warning', '!=error')
    case 'location':
      return random() < 0.8 ? several(places) : one('*9', 'P*r*9', '!=*i*', 'none')
    case 'target':
      return random() < 0.8 ? several(targets) : one('tab-*', '*', '!=A*B')
    case 'ref':
      return one('tab-1', 'tab-9', '7,tab-2', '!=tab-1', '"A*B"', 'none')
    case 'endpoint':
      return one('sandbox', '"pier nine"', '3', 'none', 'PIER*', '!=1', 'gone', 'none,2')
    case 'integration':
      return one('sandbox', '"harbour group"', '2', 'none', 'HARB*', '!=1', 'gone', 'none,2')
    case 'number':
      return one('>=20', '<40', '>=7000', '<8000', '7001,7002', '!=7003', '>99999')
    case 'status':
      return one('200', '>=400', '<300', 'none', 'none,404', '!=200', '!=none', '>599')
    case 'handler':
      return one(
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
      )
    case 'verdict-at-arrival':
      return one('valid', 'INVALID,missing', '!=unchecked', 'unsigned')
    case 'own':
      return one('send', 'forward,SEND', 'none', '!=send', '!=FORWARD')
    case 'answered':
      return one('rule', 'target', 'hold', 'none', 'none,rule', '!=none')
    case 'via':
      return one('tunnel', 'none', 'TUNNEL,none', '!=tunnel', '!=none', 'relay', 'relay,none')
    case 'relay':
      return one('Team', 'none', 'T*', 'Other,none', '!=Team', '!=none', 'team')
    case 'receiver':
      return one('gate', 'none', 'g*', 'pier,none', '!=gate', '!=none', 'Gate')
    case 'lag':
      return one('>5s', '<=0', '<-1s', 'none', '>=3000000ms')
    case 'size':
      return one('0', '>100', '<=90b', '!=0', '>1kb')
    case 'since':
      return one('59m', '40m', '1ms', '10h', '2500s')
    case 'before':
    case 'until':
      return one('59m', '40min', '1ms', '10h', '2500s')
    case 'created':
      return one('<59m', '>=40min', '>10h', 'none', '<=2500s')
    case 'outcome':
      return one('ok', 'rejected', 'INVALID,missing', 'refused', '!=ok')
    case 'cause':
      return one('secret.*', 'header.brand', 'none', '!=body.pretty', 'none,body.*')
    case 'total':
      return one('42.5', '42.50', '>100', '<=0', 'none', '!=42.5', 'none,0')
    case 'spot':
      return random() < 0.7 ? several([...spots, null]) : one('t*', 'BAR*', '!=none')
    case 'zone':
      return one('patio', 'none', 'PAT*', '!=bar')
    case 'item':
      return one('"pale ale"', 'creme', 'f*', 'none', '!=fries')
    case 'tab':
      return random() < 0.6
        ? several([...tabNames, 'tab-2', null])
        : one('cafe*', 'TAB-*', '!=none')
    case 'order':
      return one('miller', 'order-1', 'none', 'ORDER-*', '!=miller')
    case 'guest':
      return one('miller', 'guest-1', 'none', 'GUEST-*,none', '!=miller')
    case 'header':
      return one(
        'x-id',
        'X-Id=app-3',
        'x-id=app-*',
        'x-id!=app-1',
        'x-id="A,b",app-2',
        'gone',
        'x-id=Zoë',
        'X-Service-Event-Type=OPEN_TAB',
      )
    case 'data':
    case 'body':
      return `${pick(
        random,
        paths.filter((path) => path.startsWith(field)),
      )}:${pick(random, json)}`
    case 'is':
      return one(
        'duplicate',
        'pinned',
        'noted',
        'tagged',
        'answered',
        'unanswered',
        'pinned,noted',
        '!=duplicate',
      )
    case 'repeats':
      return one('body', 'event', 'none', 'none,body', '!=event')
    case 'contains':
      return one('rie', 'RIE', '"t4 pa"', 'p*9', '!=afé', 'x-serv', '"a*b"', '":"')
    case 'tag':
      return random() < 0.8 ? several(tags) : one('b*', '*')
    case 'note':
      return one('them', '"ASK them"', 'wrong*total', '"a*b"', 'a*b', '!=them')
    case 'method':
      return one('POST', 'post', 'P*', '!=GET')
    case 'path':
      return one('/hooks/*', '/elsewhere', '"/a*b"', '/hooks/pier-9?x=1', '*?*')
    case 'secret':
      return one('current', 'none', 'p*', '!=current')
    case 'arrival':
      return one('complete', 'cut_off,malformed', '!=complete')
    default:
      throw new Error(`no terms of ${field}`)
  }
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
