/** Names under which messages carry what must not be shown, as written in any case and with any separators. */
const secretName =
  /token|secret|password|passwd|passphrase|credential|(?:api|access|private|signing|encryption)key|authorization|assertion|cookie|session|jwt|csrf|xsrf|^(auth|authorization|verification|login|sms)?code$/
const harmlessName = /type$|kind$|uri$|url$|endpoint$|expir|lifetime|^tokens?(count|version)$/
/** Three letters that stand in many words ("spotPosition"): they must be a word of the name. */
const passcode = /(?:^|[^A-Za-z])(?:otp|OTP|Otp|totp|TOTP)(?![a-z])|[a-z0-9](?:OTP|Otp)(?![a-z])/

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
  return (secretName.test(name) || passcode.test(key)) && !harmlessName.test(name)
}

/** An error's code is no longer than this, in characters. */
const longestCode = 200

/** The same, with a look at the value: an error's code is what one wants to read. */
export function isSecretField(key: string, value: string): boolean {
  if (value === '' || !namesSecret(key)) return false
  return (
    lettersOf(key) !== 'code' ||
    value.length > longestCode ||
    !/^([a-z]+([_ -][a-z]+)*|[A-Z]+([_ -][A-Z]+)*|\d{1,5})$/.test(value)
  )
}

/** A name in lower-case letters alone. */
export function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}
