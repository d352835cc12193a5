/** Names under which messages carry what must not be shown, as written in any case and with any separators. */
const secretName =
  /token|secret|password|passwd|passphrase|passcode|pincode|credential|connectionstring|(?:api|access|private|signing|encryption|subscription|functions?|shared|account|client|master|storage|license|ssh)key|^(?:card)?(?:cvv|cvc|csc)$|authorization|assertion|cookie|session|jwt|csrf|xsrf|^(auth|authorization|verification|login|sms)?code$/
const harmlessName = /type$|kind$|uri$|url$|endpoint$|expir|lifetime|^tokens?(count|version)$/
/** Three letters that stand in many words ("spotPosition"): they must be a word of the name. */
const passcode = /(?:^|[^A-Za-z])(?:otp|OTP|Otp|totp|TOTP)(?![a-z])|[a-z0-9](?:OTP|Otp)(?![a-z])/

/** Short names that are parts of many words ("passage", "author", "keyboard"): one must be the last word of the name. */
const secretWords: ReadonlySet<string> = new Set(['pwd', 'pass', 'pin', 'auth'])

/** Header fields whose value is a secret by itself. Lower case. */
export const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
])

/** Whether what stands under this name is most likely kept secret. */
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

/** `key` alone, or `X-Key`: what it opens is not said. */
function isPlainKey(name: string): boolean {
  return name === 'key' || name === 'xkey'
}

/** In lower case: `pin` of `guestPin`, `auth` of `X-Auth`, `sig` of `X-SIG-256`. */
export function lastWord(key: string): string {
  let to = key.length
  while (to > 0 && !/[A-Za-z]/.test(key.charAt(to - 1))) to -= 1
  let from = to
  while (from > 0 && /[a-z]/.test(key.charAt(from - 1))) from -= 1
  if (from === to) while (from > 0 && /[A-Z]/.test(key.charAt(from - 1))) from -= 1
  else if (/[A-Z]/.test(key.charAt(from - 1))) from -= 1
  return key.slice(from, to).toLowerCase()
}

/** An error's code is no longer than this, in characters. */
const longestCode = 200

/** The same, with a look at the value: an error's code is what one wants to read. */
export function isSecretField(key: string, value: string): boolean {
  if (value === '' || !namesSecret(key)) return false
  const name = lettersOf(key)
  // A key may as well be that of a table, a list or a translation.
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

/** A name in lower-case letters alone. */
export function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}
