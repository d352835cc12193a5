import {
  lastWord,
  lettersOf,
  namesSecret,
  secretHeaders,
} from '../../platform/masking/secret-names.ts'
import type { RemovalKind } from './edits.ts'

export interface NameMeaning {
  /** Null: the value must be searched. */
  readonly kind: RemovalKind | null
  /** Digits are not a phone number unless they have a plus sign. */
  readonly id: boolean
}

export interface FieldMeaning extends NameMeaning {
  /** So is everything below, whatever the names there. */
  readonly holdsSecrets: boolean
}

const noMeaning: NameMeaning = { kind: null, id: false }
const cacheSize = 10_000

const phoneName =
  /(?:phone|mobile|msisdn|whatsapp|cellphone)(?:number|no|nr|s|numbers)?$|^(?:tel|cell|fax|sms)(?:number|no|nr)?$/
/** In any API. The catalogue has those of this platform's event types. */
const personName =
  /(?:first|last|middle|full|given|family|sur|maiden|nick|display|(?:guest|customer|contact|cardholder|accountholder|person|user)s?)names?$/
const ipName =
  /^(?:client|remote|source|src|user|guest|peer|origin|real)?ip(?:address|addr|v)?$|^remoteaddr(?:ess)?$/
const cardName = /^(?:(?:credit|debit|payment)?card(?:number|no|nr|num)|pan|cc(?:number|num|no))$/
const idName = /(?:[a-z0-9]Ids?|IDs?|[Uu][Uu][Ii][Dd]s?|[_-][Ii][Dd]s?)$|^(?:id|ids|uuid|guid)$/

const fieldCache = new Map<string, FieldMeaning>()

/** For a name such as `handle`, `customerPhone` or `refresh_token`. */
export function fieldMeaning(name: string): FieldMeaning {
  const cached = fieldCache.get(name)
  if (cached) return cached
  const meaning = { ...computeFieldMeaning(name), holdsSecrets: holdsSecrets(name) }
  if (fieldCache.size >= cacheSize) fieldCache.clear()
  if (name.length <= 100) fieldCache.set(name, meaning)
  return meaning
}

function computeFieldMeaning(name: string): NameMeaning {
  if (name === '' || name.length > 200) return noMeaning
  const letters = lettersOf(name)
  if (letters === 'handle' || letters === 'handles' || /(?:[a-z]H|[_-]h)andles?$/.test(name)) {
    return { kind: 'handle', id: false }
  }
  if (letters === 'sessionid' || letters === 'sessid' || letters === 'phpsessid') {
    return { kind: 'token', id: false }
  }
  const id = idName.test(name)
  if (id) return { kind: null, id: true }
  if (phoneName.test(letters)) return { kind: 'phone', id: false }
  if (personName.test(letters)) return { kind: 'name', id: false }
  if (ipName.test(letters)) return { kind: 'ip_address', id: false }
  if (cardName.test(letters)) return { kind: 'card', id: false }
  if (letters === 'iban') return { kind: 'iban', id: false }
  if (/signature$|^hmac$/.test(letters) || lastWord(name) === 'sig') {
    return { kind: 'signature', id: false }
  }
  return namesSecret(name) ? { kind: secretKind(letters), id: false } : noMeaning
}

function holdsSecrets(name: string): boolean {
  return (
    name.length <= 100 &&
    /credentials?$|^(?:secrets|passwords|cookies|apikeys)$/.test(lettersOf(name))
  )
}

/** Proxies pass on the address of the client in these (RFC 7239, and non-standard ones). */
const addressHeaders: ReadonlySet<string> = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-remote-ip',
  'x-remote-addr',
  'x-originating-ip',
  'x-envoy-external-address',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-azure-socketip',
  'client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'fastly-client-ip',
  'fly-client-ip',
  'do-connecting-ip',
  'x-vercel-forwarded-for',
  'x-nf-client-connection-ip',
])

function secretKind(letters: string): RemovalKind {
  if (letters.includes('cookie')) return 'cookie'
  if (/token|jwt|session|csrf|xsrf|assertion/.test(letters)) return 'token'
  if (/code$|otp|pin$/.test(letters)) return 'code'
  if (/authorization|credential|auth$/.test(letters)) return 'credential'
  return 'secret'
}

/** They sound like secrets but are not. */
const harmlessHeader = /^(?:access-control-|sec-websocket-|www-authenticate$|proxy-authenticate$)/

const headerCache = new Map<string, NameMeaning>()

/** `name` must be in lower case. */
export function headerMeaning(name: string): NameMeaning {
  const cached = headerCache.get(name)
  if (cached) return cached
  const meaning = computeHeaderMeaning(name)
  if (headerCache.size >= cacheSize) headerCache.clear()
  if (name.length <= 100) headerCache.set(name, meaning)
  return meaning
}

function computeHeaderMeaning(name: string): NameMeaning {
  if (harmlessHeader.test(name)) return noMeaning
  if (name === 'cookie' || name === 'set-cookie' || name === 'cookie2' || name === 'set-cookie2') {
    return { kind: 'cookie', id: false }
  }
  if (secretHeaders.has(name)) return { kind: 'credential', id: false }
  if (addressHeaders.has(name)) return { kind: 'ip_address', id: false }
  if (/signature|(?:^|-)(?:hmac|sig)(?:-|$)/.test(name)) return { kind: 'signature', id: false }
  const meaning = fieldMeaning(name)
  const { kind } = meaning
  // Header names are not specific enough for names and cards. Their values are searched instead.
  if (kind === 'name' || kind === 'card' || kind === 'iban') return noMeaning
  return kind === 'token' || kind === 'secret' || kind === 'code'
    ? { kind: 'credential', id: false }
    : meaning
}
