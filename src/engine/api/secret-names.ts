/** What pages of a list are asked for by is called a token as well. */
const paging = /^(next|prev|previous|page|sync|continuation|cursor)/
const telling =
  /(token|secret|password|passwd|passphrase|apikey|privatekey|credential|credentials|authorization|sessionid)$/

/** Whether what goes by this name (of a field, a parameter, a header) is most likely a secret. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return telling.test(plain) && !paging.test(plain)
}

/** Field names as they may stand in a marker: `refreshToken` is `refresh_token`. */
export function markerName(name: string): string {
  const slug = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 26)
  return slug === '' ? 'x' : slug
}

interface Field {
  readonly name: string
  readonly value: string
}

/**
 * The secrets in a text by the names of their fields, in JSON or as a form. Found by pattern, so that a cut-off text or several ones are
 * read as well. An authorization code is one only beside a `grant_type`: elsewhere `code` is a word for anything.
 */
export function secretFields(text: string): Field[] {
  const exchange = text.includes('grant_type')
  const isSecret = (name: string): boolean =>
    isSecretName(name) || (exchange && name.toLowerCase() === 'code')
  return [...jsonFields(text), ...formFields(text)].filter(({ name }) => isSecret(name))
}

function* jsonFields(text: string): Generator<Field> {
  for (const [, name = '', value = ''] of text.matchAll(
    /"([A-Za-z0-9_. -]{1,60})"\s*:\s*"((?:[^"\\]|\\.)*)/g,
  )) {
    yield { name, value: unescaped(value) }
  }
}

function unescaped(json: string): string {
  try {
    const value: unknown = JSON.parse(`"${json}"`)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}

function* formFields(text: string): Generator<Field> {
  if (text.length > 100_000 || !/^[^\s"{}<>]+=[^\s"{}<>]*$/.test(text.trim())) return
  yield* [...new URLSearchParams(text.trim())].map(([name, value]) => ({ name, value }))
}
