import { lettersOf, namesSecret, secretHeaders } from '../../records/secret-names.ts'
import type { RemovalKind } from './kinds.ts'

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
  if (/signature$|^hmac$/.test(letters)) return { kind: 'signature', id: false }
  return namesSecret(name) ? { kind: secretKind(letters), id: false } : nothing
}

/** What kind of secret a name speaks of. */
function secretKind(letters: string): RemovalKind {
  if (letters.includes('cookie')) return 'cookie'
  if (/token|jwt|session|csrf|xsrf|assertion/.test(letters)) return 'token'
  if (/code$|otp/.test(letters)) return 'code'
  if (/authorization|credential/.test(letters)) return 'credential'
  return 'secret'
}

/** Header names that sound like secrets and are none. */
const harmlessHeader = /^(?:access-control-|sec-websocket-|www-authenticate$|proxy-authenticate$)/

/** The same of a header, by its name in lower case. */
export function headerMeaning(name: string): NameMeaning {
  if (harmlessHeader.test(name)) return nothing
  if (name === 'cookie' || name === 'set-cookie' || name === 'cookie2' || name === 'set-cookie2') {
    return { kind: 'cookie', id: false }
  }
  if (secretHeaders.has(name)) return { kind: 'credential', id: false }
  if (/signature|(?:^|-)hmac(?:-|$)/.test(name)) return { kind: 'signature', id: false }
  const meaning = meaningOf(name)
  const { kind } = meaning
  return kind === 'token' || kind === 'secret' || kind === 'code'
    ? { kind: 'credential', id: false }
    : meaning
}
