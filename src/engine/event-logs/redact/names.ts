import {
  lastWord,
  lettersOf,
  namesSecret,
  secretHeaders,
} from '../../platform/masking/secret-names.ts'
import type { RemovalKind } from './edits.ts'

/** What a name says of the value that stands under it. */
export interface NameMeaning {
  /** What it is by its name alone; null: it must be looked at. */
  readonly kind: RemovalKind | null
  /** It is an id: its digits are no phone number unless there is a plus sign. */
  readonly id: boolean
}

const nothing: NameMeaning = { kind: null, id: false }
/** Names that are remembered. */
const remembered = 10_000

const phoneName =
  /(?:phone|mobile|msisdn|whatsapp|cellphone)(?:number|no|nr|s|numbers)?$|^(?:tel|cell|fax|sms)(?:number|no|nr)?$/
/** Names of fields that hold people's names in any document. Those of our own document are in the catalogue. */
const personName =
  /(?:first|last|middle|full|given|family|sur|maiden|nick|display|(?:guest|customer|contact|cardholder|accountholder|person|user)s?)names?$/
const ipName =
  /^(?:client|remote|source|src|user|guest|peer|origin|real)?ip(?:address|addr|v)?$|^remoteaddr(?:ess)?$/
const cardName = /^(?:(?:credit|debit|payment)?card(?:number|no|nr|num)|pan|cc(?:number|num|no))$/
const idName = /(?:[a-z0-9]Ids?|IDs?|[Uu][Uu][Ii][Dd]s?|[_-][Ii][Dd]s?)$|^(?:id|ids|uuid|guid)$/

const known = new Map<string, NameMeaning>()

/** What the name of a field, a parameter or a fact says: `handle`, `customerPhone`, `refresh_token` ... */
export function meaningOf(name: string): NameMeaning {
  const found = known.get(name)
  if (found) return found
  const made = meaningAnew(name)
  if (known.size >= remembered) known.clear()
  if (name.length <= 100) known.set(name, made)
  return made
}

function meaningAnew(name: string): NameMeaning {
  if (name === '' || name.length > 200) return nothing
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
  return namesSecret(name) ? { kind: secretKind(letters), id: false } : nothing
}

/** Everything below a field of this name is secret, whatever it is called there. */
export function holdsSecrets(name: string): boolean {
  return (
    name.length <= 100 &&
    /credentials?$|^(?:secrets|passwords|cookies|apikeys)$/.test(lettersOf(name))
  )
}

/** Headers in which proxies hand on whose request it is (RFC 7239, and what was in use before and beside it). Lower case. */
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

/** What kind of secret a name speaks of. */
function secretKind(letters: string): RemovalKind {
  if (letters.includes('cookie')) return 'cookie'
  if (/token|jwt|session|csrf|xsrf|assertion/.test(letters)) return 'token'
  if (/code$|otp|pin$/.test(letters)) return 'code'
  if (/authorization|credential|auth$/.test(letters)) return 'credential'
  return 'secret'
}

/** Header names that sound like secrets and are none. */
const harmlessHeader = /^(?:access-control-|sec-websocket-|www-authenticate$|proxy-authenticate$)/

const knownHeaders = new Map<string, NameMeaning>()

/** The same of a header, by its name in lower case. */
export function headerMeaning(name: string): NameMeaning {
  const found = knownHeaders.get(name)
  if (found) return found
  const made = headerMeaningAnew(name)
  if (knownHeaders.size >= remembered) knownHeaders.clear()
  if (name.length <= 100) knownHeaders.set(name, made)
  return made
}

function headerMeaningAnew(name: string): NameMeaning {
  if (harmlessHeader.test(name)) return nothing
  if (name === 'cookie' || name === 'set-cookie' || name === 'cookie2' || name === 'set-cookie2') {
    return { kind: 'cookie', id: false }
  }
  if (secretHeaders.has(name)) return { kind: 'credential', id: false }
  if (addressHeaders.has(name)) return { kind: 'ip_address', id: false }
  if (/signature|(?:^|-)(?:hmac|sig)(?:-|$)/.test(name)) return { kind: 'signature', id: false }
  const meaning = meaningOf(name)
  const { kind } = meaning
  // Of a header nobody can say whose name or card it is, but by its value.
  if (kind === 'name' || kind === 'card' || kind === 'iban') return nothing
  return kind === 'token' || kind === 'secret' || kind === 'code'
    ? { kind: 'credential', id: false }
    : meaning
}
