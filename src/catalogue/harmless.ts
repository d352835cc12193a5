import { eventTypes } from './catalogue.ts'
import type { Leaves } from './define.ts'
import { deliveryHeaders } from './headers.ts'
import { commonFields } from './payload.ts'

/**
 * What a masked record shows as it is: documented fields and protocol headers whose values are known to be harmless. Everything else becomes an alias or a
 * mask. Exported files name the version of this list.
 */
export const harmlessVersion = 1

/** `time`, `amount` and `type` stay if they have that form. `id` and `location` become an alias, like `name` and `handle`. */
export type FieldRule = Leaves | 'time' | 'flag' | 'amount' | 'id' | 'location' | 'object'

export interface HarmlessField {
  readonly rule: FieldRule
  /** The rule applies to the elements of a list. */
  readonly list: boolean
  /** Documented values, which stay. */
  readonly known: readonly string[]
  /** Of an object. */
  readonly inside: HarmlessFields | null
}

export type HarmlessFields = ReadonlyMap<string, HarmlessField>

const ruleOfFormat = {
  text: null,
  tags: null,
  id: 'id',
  amount: 'amount',
  count: 'amount',
  time: 'time',
  flag: 'flag',
  object: 'object',
} as const

const ruleOfCommon: Readonly<Record<(typeof commonFields)[number]['key'], FieldRule>> = {
  type: 'type',
  targetUuid: 'id',
  targetId: 'id',
  locationUuid: 'id',
  locationId: 'id',
  locationName: 'location',
  createdAt: 'time',
  data: 'object',
}

function scalar(rule: FieldRule, known: readonly string[] = []): HarmlessField {
  return { rule, list: false, known, inside: null }
}

function rootFields(data: HarmlessFields): HarmlessFields {
  return new Map(
    commonFields.map(({ key }) => [
      key,
      key === 'data' ? { ...scalar('object'), inside: data } : scalar(ruleOfCommon[key]),
    ]),
  )
}

const byType: ReadonlyMap<string, HarmlessFields> = new Map(
  eventTypes.map(({ type, data }) => {
    const fields = data.flatMap((each): [string, HarmlessField][] => {
      const rule = each.leaves ?? ruleOfFormat[each.format]
      if (rule === null) return []
      const inside = each.inside
        ? new Map([[each.inside.key, scalar('type', each.inside.known)]])
        : null
      return [[each.key, { rule, list: each.type === 'string[]', known: each.known ?? [], inside }]]
    })
    return [type, rootFields(new Map(fields))]
  }),
)

/** Of bodies without a documented type. */
const common = rootFields(new Map())

/** `type`: of this body; null: unknown. */
export function harmlessFields(type: string | null): HarmlessFields {
  return byType.get(type ?? '') ?? common
}

const documentedKeys: ReadonlySet<string> = new Set([
  ...commonFields.map(({ key }) => key),
  ...eventTypes.flatMap(({ data }) => data.map(({ key }) => key)),
])

export function isDocumentedKey(key: string): boolean {
  return documentedKeys.has(key)
}

const types: ReadonlySet<string> = new Set(eventTypes.map(({ type }) => type))

export function isDocumentedType(text: string): boolean {
  return types.has(text)
}

/** An event type of the documentation in any case, or one that may be added: two or more upper-case words. */
export function isTypeName(text: string): boolean {
  return (
    types.has(text) ||
    types.has(text.trim().toUpperCase()) ||
    /^[A-Z]{2,20}(?:_[A-Z]{2,20}){1,5}$/.test(text)
  )
}

/** In a text that cannot be parsed: a type, or a documented key that is not an ordinary word. */
export function isDocumentedWord(word: string): boolean {
  return types.has(word) || (/[a-z][A-Z]/.test(word) && documentedKeys.has(word))
}

/** Where a value does not have its documented place, its key may choose the alias. Only a documented type, and a time by its form, stay. */
export function ruleOfKey(key: string): FieldRule | null {
  switch (key) {
    case 'type':
      return 'type'
    case 'createdAt':
    case 'created':
      return 'time'
    case 'name':
    case 'tabName':
    case 'orderName':
      return 'name'
    case 'locationName':
      return 'location'
    case 'handle':
    case 'email':
    case 'phone':
      return 'handle'
    default:
      return /(?:[a-z](?:Id|ID|Uuid|UUID)|_id|_uuid)s?$/.test(key) || /^(?:id|uuid)$/.test(key)
        ? 'id'
        : null
  }
}

/** Words of programming interfaces. A key of which they make a quarter is a key, not a value. */
const apiWords = new Set(
  `access account action active actor add address agent alcohol allergen allow amount amz api app application area array assigned at attempt attribute
  auth author authorization available avatar balance bar base basket batch bill billing birth body boolean booking brand browser bucket by calories
  campaign cancel canceled cancelled card cart cash category cause changed channel charge check checkin checkout choice city class clear client close closed
  code comment company complete completed condition config consent contact content context correlation cost count country course cover create created credit
  currency current custom customer data date day debit debug default delete deleted deliver delivery deposit description detail details device diner digest dining
  disabled discount dish display door drink due duration edited email enabled encoding end ended entry enum environment error event expires ext external extra
  failed favorite fee feedback field file filter first fiscal flag floor food for forwarded from full gateway gender geo gift given gratuity group guest handle
  has hash header hint history hmac home host hour http icon id identifier identity image in index info input instruction integer integration invoice ip is
  issued item items job key kind kitchen label lang language last lat level license limit line lines link list lng locale location log login loyalty mail main
  marketing max member membership menu message meta metadata method min minute mobile mode modified modifier module month name net new next nickname note notes
  number object occurred offer offset old on open opened operator opt option order origin other output owner page paid parent part party pass password path payload
  payment percent period permission person phone photo picture place placed plan platform point points pos position postal preference previous price print
  printer priority product profile program promo promotion property provider proxy public qty quantity query queue rate rating ratio read reason receipt
  received ref reference referer refund region removed request reservation resource response result retry revision reward role room round rule sale sandbox
  schedule scheduled schema scope score screen secret seat seats section sent seq sequence series serial server service session set settings severity shift shop short
  signature size sku sort source spot staff start started state status step stock store street string sub subject subscribed subtotal summary surname system
  tab table tag tags target tax team tel template tenant terminal test text ticket tier time timestamp timezone tip title to token total trace tracking
  transaction type uid unit unsubscribed until updated url usage user uuid valid value variant vat vendor venue verified version visit void waiter webhook
  week weight with year zip zone`.split(/\s+/),
)

/** `field`: as in a preview. */
export function isDocumentedField(field: string): boolean {
  const header = /^(?:response )?header (.+)$/.exec(field)?.[1]
  if (header !== undefined) return ruleOfHeader(header) !== null
  const keys = field
    .replaceAll('[]', '')
    .replace(/^body\./, '')
    .split('.')
  return field === 'path' || keys.every((key) => documentedKeys.has(key))
}

const maxKeyLength = 40

/** Whether a key or the name of a header that is not documented may be shown. */
export function isHarmlessKey(key: string): boolean {
  if (documentedKeys.has(key)) return true
  if (key.length > maxKeyLength || !isIdentifier(key)) return false
  let letters = 0
  let listed = 0
  for (const [word] of key.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)) {
    letters += word.length
    const lower = word.toLowerCase()
    if (apiWords.has(lower) || apiWords.has(lower.replace(/s$/, ''))) listed += word.length
  }
  return listed > 0 && listed * 4 >= letters
}

/** Otherwise it is a value in the place of a key, as in an object by guest. */
export function isIdentifier(key: string): boolean {
  return (
    key.length <= 200 &&
    /^[A-Za-z_$@][\w.$:-]*$/.test(key) &&
    !/\d{4}|(?:\d[A-Za-z]+){2}\d|^@.*@/.test(key)
  )
}

export type HeaderRule =
  | 'words'
  | 'date'
  | 'timestamp'
  | 'length'
  | 'host'
  | 'id'
  | 'address'
  | 'signature'
  | 'type'

const rulesOfHeaders: ReadonlyMap<string, HeaderRule> = new Map([
  ...(
    [
      'content-type',
      'accept',
      'accept-charset',
      'accept-encoding',
      'accept-language',
      'content-encoding',
      'transfer-encoding',
      'connection',
      'keep-alive',
      'cache-control',
      'pragma',
      'te',
      'expect',
      'upgrade',
      'via',
      'user-agent',
      'server',
      'x-powered-by',
      'cf-visitor',
      'x-forwarded-proto',
      'x-forwarded-port',
      'vary',
      'allow',
    ] as const
  ).map((name) => [name, 'words'] as const),
  ['date', 'date'],
  ['last-modified', 'date'],
  ['expires', 'date'],
  ['content-length', 'length'],
  ['host', 'host'],
  ['x-forwarded-host', 'host'],
  ['x-forwarded-for', 'address'],
  ['x-real-ip', 'address'],
  ['cf-connecting-ip', 'address'],
  ['cf-connecting-ipv6', 'address'],
  ['true-client-ip', 'address'],
  ['cf-ray', 'id'],
  ['traceparent', 'id'],
  ['webhook-id', 'id'],
] as const)

const brandless = deliveryHeaders('')
/** `lowerName`: in lower case. */
export function isHarmlessHeaderName(lowerName: string): boolean {
  return (
    rulesOfHeaders.has(lowerName) ||
    lowerName.split('-').every((word) => protocolWords.has(word) || apiWords.has(word))
  )
}

const ruleOfDelivery = {
  'event-type': 'type',
  'target-uuid': 'id',
  'target-id': 'id',
  'application-id': 'id',
  signature: 'signature',
} as const

/** `lowerName`: in lower case. Null: the value is masked. */
export function ruleOfHeader(lowerName: string): HeaderRule | null {
  const rule = rulesOfHeaders.get(lowerName)
  if (rule) return rule
  if (/signature|hmac|(?:^|-)sig(?:-|$)/.test(lowerName)) return 'signature'
  const documented = brandless.find(({ lowerName: suffix }) =>
    lowerName.endsWith(suffix.slice('x-'.length)),
  )
  if (documented && lowerName.startsWith('x-')) return ruleOfDelivery[documented.id]
  if (lowerName.endsWith('-timestamp')) return 'timestamp'
  return /(?:request|correlation|trace|webhook|delivery|message|event|span)-?id$/.test(lowerName)
    ? 'id'
    : null
}

const protocolWords = new Set(
  `accept age agent aiohttp alg algorithm alive all amazon application ascii async attachment axios base64 base64url basic bearer boundary br brotli browser bun
  bytes cache charset chrome chunked client close cloudflare compatible compress continue control created css curl data deflate deno digest disposition dotnet en
  encoded engine es event expires express faraday fastapi fetch firefox form gecko go googlebot got guzzle guzzlehttp gunicorn gzip h1 h2 h2c hash headers hex
  hmac html http httparty httpclient httpie https httpx id identity immutable insomnia iso java javascript js json keep keepalive kestrel keyid khtml lambda
  latin1 like linux mac max md5 message mime mixed mobile mozilla multipart must ndjson next nginx no nocache node nostore octet okhttp only openssl optional origin
  os patch perl php plain post postman postmanruntime private problem proxy ps public puma python q quality rails refresh related request requests rest restsharp
  revalidate ruby rust s safari scheme secure server sha sha1 sha256 sha384 sha512 sig signature simple sniff spring stale store stream svix t tabscope text
  timeout timestamp tls tokens trailers transfer transform ts uncompressed undici unicorn upgrade url urlencoded us user utf utf16 utf8 uvicorn v v0 v1 v2 vary
  version via webhook webhookagent webhooks webkit websocket werkzeug wget windows www x xhtml xml zip zstd 8859 1252`.split(
    /\s+/,
  ),
)

/** `word`: letters and digits. */
export function isProtocolWord(word: string): boolean {
  return /^\d{1,3}$/.test(word) || protocolWords.has(word.toLowerCase())
}
