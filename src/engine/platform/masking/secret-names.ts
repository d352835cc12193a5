/** In lower case without separators. */
const secretName =
  /token|secret|password|passwd|passphrase|passcode|pincode|credential|connectionstring|(?:api|access|private|signing|encryption|subscription|functions?|shared|account|client|master|storage|license|ssh)key|^(?:card)?(?:cvv|cvc|csc)$|authorization|assertion|cookie|session|jwt|csrf|xsrf|^(auth|authorization|verification|login|sms)?code$/
const harmlessName = /type$|kind$|uri$|url$|endpoint$|expir|lifetime|^tokens?(count|version)$/
/** Letters that occur in many words ("spotPosition"): they must be a separate word of the name. */
const passcode = /(?:^|[^A-Za-z])(?:otp|OTP|Otp|totp|TOTP)(?![a-z])|[a-z0-9](?:OTP|Otp)(?![a-z])/

/** Short names that occur in many words ("passage", "author", "keyboard"): they must be the last word of the name. */
const secretWords: ReadonlySet<string> = new Set(['pwd', 'pass', 'pin', 'auth'])

/** Headers whose value is a secret itself, in lower case. */
export const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
])

export function namesSecret(key: string): boolean {
  const name = lettersOf(key)
  if (harmlessName.test(name)) return false
  return (
    secretName.test(name) ||
    passcode.test(key) ||
    secretWords.has(lastWord(key)) ||
    isPlainKey(name)
  )
}

/** Names that do not say what the key is for. */
function isPlainKey(name: string): boolean {
  return name === 'key' || name === 'xkey'
}

/** In lower case: `pin` for `guestPin`, `auth` for `X-Auth`, `sig` for `X-SIG-256`. */
export function lastWord(key: string): string {
  let to = key.length
  while (to > 0 && !/[A-Za-z]/.test(key.charAt(to - 1))) to -= 1
  let from = to
  while (from > 0 && /[a-z]/.test(key.charAt(from - 1))) from -= 1
  if (from === to) while (from > 0 && /[A-Z]/.test(key.charAt(from - 1))) from -= 1
  else if (/[A-Z]/.test(key.charAt(from - 1))) from -= 1
  return key.slice(from, to).toLowerCase()
}

const longestCode = 200

/** Also considers the value: an error code must stay readable. */
export function isSecretField(key: string, value: string): boolean {
  if (value === '' || !namesSecret(key)) return false
  const name = lettersOf(key)
  // This may be the key of a table, a list or a translation.
  if (isPlainKey(name)) return isOpaque(value.slice(0, 200))
  return (
    name !== 'code' ||
    value.length > longestCode ||
    !/^([a-z]+([_ -][a-z]+)*|[A-Z]+([_ -][A-Z]+)*|\d{1,5})$/.test(value)
  )
}

function isOpaque(value: string): boolean {
  return value.length >= 12 && !/[\s.]/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value)
}

export function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}
