import {
  type HeaderRule,
  isDocumentedWord,
  isHarmlessHeaderName,
  isProtocolWord,
  ruleOfHeader,
} from '#catalogue/harmless.ts'
import type { Header } from '#contract/models.ts'
import { maskNumber, maskText, maskTime } from './text.ts'
import { maskForm } from './body.ts'
import type { KnownHeader, Values } from './values.ts'

export interface HeaderContext {
  readonly brand: string
  /** By how much masking changed the length of the body, in bytes. Null: unknown. */
  readonly growth: number | null
  /** Of the names of their fields: `response `. */
  readonly prefix?: string
}

/** Seconds or milliseconds since 1970, from 2001 to 2033: a phone number with ten digits starts with another one. */
const epoch = /^1\d{9}(?:\d{3})?$/

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

export function maskHeaders(
  values: Values,
  headers: readonly Header[],
  context: HeaderContext,
): Header[] {
  return headers.map(([name, value]) => {
    const { shownName, lowerName, rule } = headerOf(values, name)
    if (value === '') return [shownName, value]
    const field = values.tracksFields ? `${context.prefix ?? ''}header ${lowerName}` : ''
    const choice = values.choiceOf(field)
    const becomes =
      choice === 'keep'
        ? values.kept(value, false)
        : choice === 'mask'
          ? values.mask(value)
          : maskValue(values, rule, value, context)
    values.useOf(field, value, becomes)
    return [shownName, becomes]
  })
}

/** Without spaces, which a name cannot have. */
export function maskHeaderName(values: Values, name: string): string {
  const lowerName = name.toLowerCase()
  if (isHarmlessHeaderName(lowerName)) return name
  const shown = values.key(lowerName, false, { maps: false })
  return shown === lowerName ? name : shown.replace(' ', '-')
}

function headerOf(values: Values, name: string): KnownHeader {
  const known = values.headers.get(name)
  if (known) return known
  const lowerName = name.toLowerCase()
  const shownName = maskHeaderName(values, name)
  const header = { shownName, lowerName, rule: ruleOfHeader(lowerName) }
  if (values.headers.size < 1000) values.headers.set(name, header)
  return header
}

function maskValue(
  values: Values,
  rule: HeaderRule | null,
  value: string,
  { brand, growth }: HeaderContext,
): string {
  switch (rule) {
    case 'words': {
      const key = `${brand} ${value}`
      const known = values.words.get(key)
      if (known !== undefined) return known
      const masked = maskProtocolText(values, value, brand)
      if (values.words.size < 1000) values.words.set(key, masked)
      return masked
    }
    case 'date':
      return httpDate.test(value) ? value : maskTime(value)
    case 'timestamp':
      return epoch.test(value) ? value : values.time(value)
    case 'length':
      return growth !== null && /^\d{1,15}$/.test(value)
        ? String(Math.max(0, Number(value) + growth))
        : maskNumber(value)
    case 'host':
      return maskHost(values, value)
    case 'id':
      return values.id(value, false)
    case 'address':
      return value.replaceAll(/[^,\s]+/g, (address) => maskAddress(values, address))
    case 'type':
      return values.type(value) ?? values.mask(value)
    case 'signature':
      return signatureForm(value)
    case null:
      return values.mask(value)
  }
}

const wordsAndNumbers =
  /(?<!\w)(?:utf-?(?:8|16)|iso-8859-\d{1,2}|windows-125\d)(?!\w)|\d[\d.]*|[A-Za-z][A-Za-z0-9]*|[\x80-\xff]+/gi

/** Words of protocols and of the brand stay, and numbers of versions and weights. */
export function maskProtocolText(values: Values, value: string, brand: string): string {
  const own = brand.toLowerCase()
  return value.replaceAll(wordsAndNumbers, (word, at: number) => {
    if (!/^\d/.test(word))
      return isProtocolWord(word) || word.includes('-') || word.toLowerCase() === own
        ? word
        : values.mask(word)
    const isVersion =
      /^\d{1,3}(?:\.\d{1,3}){0,2}$/.test(word) &&
      word.replaceAll('.', '').length <= 5 &&
      /(?:[/=]|^)$/.test(value.slice(0, at))
    return isVersion || /^\d{1,3}\.0\.0\.0$/.test(word) ? word : maskNumber(word)
  })
}

const loopback =
  /^(?:127(?:\.\d{1,3}){3}|localhost|\[?::1\]?|::ffff:127(?:\.\d{1,3}){3}|0\.0\.0\.0)(?::\d{1,5})?$/

/** `host 1`, with its port. */
export function maskHost(values: Values, host: string): string {
  if (host === '' || loopback.test(host)) return host
  const port = /:\d{1,5}$/.exec(host)?.[0] ?? ''
  return values.alias('host', host.slice(0, host.length - port.length)) + port
}

export function maskAddress(values: Values, address: string): string {
  return address === '' || loopback.test(address) ? address : values.alias('address', address)
}

/** `ownSlug`: `/hooks/<slug>` is the path of an endpoint. */
export function maskPath(values: Values, path: string, ownSlug: boolean): string {
  const [, place = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(path) ?? []
  const own = ownSlug
    ? (/^\/hooks\/[\w.~-]{1,80}(?=\/|$)/.exec(place)?.[0] ?? '')
    : (/^\/hooks(?=\/|$)/.exec(place)?.[0] ?? '')
  const rest = values.mask(place.slice(own.length))
  return own + rest + (query === undefined ? '' : `?${maskForm(values, query)}`)
}

/** Without the fragment. */
export function maskUrl(values: Values, url: string): string {
  const [, scheme, authority = '', path = ''] = /^(https?:\/\/)([^/?#\s]*)([^#]*)/i.exec(url) ?? []
  if (scheme === undefined) return values.mask(url)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return scheme + maskHost(values, host).replace(' ', '-') + maskPath(values, path, false)
}

/** A sentence of Tabscope. What it quotes is masked. `growth`: of the body whose length it may state. */
export function maskSentence(
  values: Values,
  sentence: string,
  growth: number | null = null,
): string {
  return sentence.replaceAll(
    /https?:\/\/[^\s"'<>()«»]+|(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?|[A-Za-z]\w*-[\w-]+|\d[\d.,]*\d|[\w\u0080-\u{10ffff}]+/gu,
    (part, at: number) => {
      if (/^https?:/.test(part)) return maskUrl(values, part)
      if (loopback.test(part)) return part
      if (/^\d[\d,.]*$/.test(part)) {
        const isLength =
          sentence.startsWith(' bytes', at + part.length) ||
          sentence.slice(0, at).endsWith('Content-Length: ')
        // A limit of Tabscope.
        if (isLength && sentence.slice(0, at).endsWith(' than ')) return part
        const isSeed = sentence.slice(0, at).endsWith('--seed ')
        if (!isLength) return isSeed || isCount(sentence, at, part) ? part : maskNumber(part)
        return growth === null
          ? maskNumber(part)
          : String(Math.max(0, Number(part.replaceAll(',', '')) + growth))
      }
      if (part.includes('-') && ruleOfHeader(part.toLowerCase()) !== null)
        return maskHeaderName(values, part)
      // The ID of a case, a class of statuses, an event type, or a documented key.
      if (/^(?:[A-Z]{1,2}\d{1,2}|[1-5]xx)$/.test(part)) return part
      if (values.type(part) !== null || isDocumentedWord(part)) return part
      return part
        .split('-')
        .every(
          (word) =>
            vocabulary.has(word.toLowerCase()) || (/^[a-z]/i.test(word) && isProtocolWord(word)),
        )
        ? part
        : values.maskUnicode(part)
    },
  )
}

/** Neither a part of a phone number nor of a date. */
function isCount(sentence: string, at: number, part: string): boolean {
  const before = sentence.slice(Math.max(0, at - 3), at)
  return (
    part.length <= 3 &&
    !/[+/.:-]$|\d\W{1,2}$/.test(before) &&
    !/^(?:[/:-]|\W{1,2}\d)/.test(sentence.slice(at + part.length, at + part.length + 3))
  )
}

const forms =
  /\(\d{1,4} (?:hex|HEX|hEx|pairs|bytes|base64|base64url)\)|(?:[0-9a-fA-F]{2}[:\- ]){7,200}[0-9a-fA-F]{2}|[A-Za-z0-9+/_-]{16,}={0,2}|[A-Za-z0-9]+/g

/** `sha256=(64 hex)`: no character of it, since some would be enough to test guesses of a masked body. */
export function signatureForm(value: string): string {
  if (/^[0-9a-f]{64}$/.test(value)) return '(64 hex)'
  if (/[\x00-\x08\x0e-\x1f\x80-\xff]/.test(value)) return `(${value.length} bytes)`
  return value.replaceAll(forms, (part) => {
    const { length } = part
    if (part.startsWith('(')) return part
    if (/^(?:[0-9a-fA-F]{2}[:\- ]){7}/.test(part)) return `(${Math.ceil(length / 3)} pairs)`
    if (length < 16)
      return (/[a-z]/i.test(part) && isProtocolWord(part)) || epoch.test(part)
        ? part
        : maskText(part)
    if (/^[0-9a-f]+$/.test(part)) return `(${length} hex)`
    if (/^[0-9A-F]+$/.test(part)) return `(${length} HEX)`
    if (/^[0-9a-fA-F]+$/.test(part)) return `(${length} hEx)`
    return `(${length} ${/[-_]/.test(part) ? 'base64url' : 'base64'})`
  })
}

/** Of the sentences that Tabscope writes: reasons, errors, notes, results. All other words in them came from outside. */
const vocabulary: ReadonlySet<string> = new Set(
  `a abort about absent accent accept accepted accepting accepts access account acknowledges act acts add added addition address addresses after again
  age agent ago algorithms alike all allow allowed alone already also although an and another answer answers any anyone anything anyway anywhere api apostrophes
  app appearance appended application apply approved are around array arrays arrival arrive as ascii ask asked asks aspnet assert async at attacker
  attackers attempt attempts authentic authority authorization authorize automatically available await away aws backslashes backticks bad base base64
  base64url basis be bearer because been before began beginning begins begun behind belongs below between beyond big bigdecimal binary bits blocked
  bodies body bom boolean boot both brackets brand break browser browsers buffer bug build busiest but button by byte bytes ca call callback calls can
  cancel cancelled cannot capped captured carriage case cases catalogue catch categories category cause causes certificate cesu change changed changes
  character characters charge charges charset check checked checks choice choose chunk chunked chunks claimed class clear click client clipboard clock
  close closed closers closes closing cloudflare coalesce code codes colons column comma command commas common company compare compared compares comparison comparisons
  complete completed compose compressed compute computed computer computes config configuration configure configured confirmed conflict connect
  connection connections connects console const constant constructor contains content context continue contradicts control convert converted copied
  copies copy core correct could count counter counts cover cr crash crashed crashes crawlers create created credentials crlf current custom customer
  cut damaged dashboard data database date day days debug decide declared decoded decoders decoding decrypted deduplicate deduplicates default
  definition delays delete deleted deliveries delivery denied denies desc describe describes destination detail details dict did differ different
  differently differs digest digit digits disable disabled disablehtmlescaping disagree discard discards dispatch django do doctype documentation
  documented does done double doubled doubles down draft dropped dumps duplicate during each earlier edit edited effect effects either else emoji empty
  encode encoded encoder encodetostring encoding encodings encrypted end ended endian endpoint endpoints ends enough ensure_ascii enter entered entry
  env equal error errors escape escape_forward_slashes escape_non_ascii escaped escapehtml escapenonascii escapes even event events every everything
  exact exactly example except exchange exchanged exec exist exists exit expect expected expects expired expires expiry exponent export express extends
  extra extract facts fail failed failing fails failure failures false fast fastapi fastify fault few fffd field fields file filter final find finding
  findings finish finished first fix flaky flipped flow flows follow followed follows for forever forge forged form formats formed forms forward
  forwarded found four fractions framework frameworks free fresh from front full function future general generate genuine get gets given gives go got
  grade grant group growing gson guarantees guessed guest guests gzip had half handler happens har has hash have head header headers held help here hex
  hexadecimal hexdigest hide hides histories history hmac hold hono hop hops host html
  http http_proxy https https_proxy hyphens i id identifier identity ids if ignore ignores
  import in include includes including incomplete indented index indexed initiated input insert inside instead integers integration interface internal
  interrupt interrupted into invalid invisible ip is iso issued it item its itself jackson java javascript job join json json_encode json_hex_amp
  json_hex_apos json_hex_quot json_hex_tag json_preserve_zero_fraction json_unescaped_slashes json_unescaped_unicode jsonconvert jsonencoder
  jsonserializer judge judged junit kb keep keeps kept key keyed keys kib kind know known knows kotlinx label lambda language languages laravel large
  larger largest last late later latin latin1 layout leading leak least leaves led left length lengths let lets letter letters level levels lf like
  limit line lines link list listed listen listened listener listening listens lists load loaded loads localhost localtunnel location locations lock log logged
  logs longer longest look looks loopback loses lost low lower mac machine made make makes manually many map margin mark markdown marks marshal match
  matches math matters may mb meaning meaningful meanwhile members memory message messages method methods mib middle milliseconds min minute missing
  mistake mixed mode modifying moment more moshi most moves ms must name named names ndjson neither nestjs net network never new newer newtonsoft next
  nfc nfd ngrok no no_proxy nobody node non none nor not notation note nothing now null nulls number numbers oauth object objectmapper objects observe observed
  observer obtaining of off offer offline often ok old older on once one
  ones only open opened opens operator option optional options or order orders ordinary org
  origin other ours out outcome outside over overloads own page pair parameter parameters params parse parsed parsers parsing part partial parts pass
  passed password paste patch path pathname paths pattern pause payload pending per percent phase php pick pieces place placed placeholder placeholders
  places plain port ports position possible post precheck prefix preparation prepare prepared preparing present press prevents previews previous price
  prices print printed prints probably problem problems process processed processes product production products program progress promise protection
  protects protocol prototype proves proxies proxy public punctuation purpose push put python query question queue quote quotes rails raise random ran raw
  rawmessage reachable reached read reader readonly reads real reason received reconciled record recorded recovering redirect redirected redirects refresh
  refreshed refreshes refusal refuse refused refuses register rehearsal rehearsals rehearse reject rejected rejecting rejects released relies rem remembers remove
  removed repeat repeated repeats repetition replace replaced replacement replaces reply report reported req request requested requests require required
  requires resend reset resolve resolved resource respond responded responding responds response responses rest restart restaurant result results resume
  retried retries retry retrying return returned returns reveals reversed review revoke revoked rfc right rights rotated rotation route row ruby rule
  run running runs rust s safe same sandbox save say says scanned scenario schema scheme script scripts sealed search second seconds secret secrets section secure see
  seed seen sees select selected selection sells semicolon send sender sends sent separated separator separators sequential serialize serialized
  serializeobject server servers service session set setescapehtml setting settings settling several severity sha share short shortest should show
  showed shown shows side sign signal signature signatures signed signer signing signs silence silently simulate simultaneous since single size skip
  skipped slash slashes slice slow small snake so some something sometimes sort sort_keys sorted sortedkeys space spaces special spelling split spring
  stack standard starlette start started starts state states status stayed stays step steps still stop stopped store stored stores str strict string
  stringify strings struct such sum summary support surrogate swift switch symfony system tab table tables tabs tabscope takes tally target targeted
  targets template ten test testcase tests testsuite testsuites text than that the their them theme themselves then there these they this those thread
  through throw time timed timeout times timestamp title tls to to_json together tojson token tokens tolerate too took top total totals trace traffic
  trailers trailing transaction transfer transit transport treats tried tries trigger trim trims true truncated try tunnel tunnels turn turned twice two
  type typeof types u ufeff uncertain unchanged uncompressed unconfigured undefined under understand unicode unique unknown unless unnecessary
  unsaferelaxedjsonescaping unsolicited until up update updated upper url us usable use used useless usenumber user username uses utc utf uuid valid
  validation value values variable variables variant variants verdict verifies verify verifying version versions view views void wait waiting waits warn
  warning warnings was watch way we weak weakest webhook webhooks well went were what when where whether which while white who whole whose why wide
  window windows with within without word wordpress work would write writer writes writevalueasbytes writevalueasstring writing written wrong xff xml
  yet you your yourself zero zeros`.split(/\s+/),
)
