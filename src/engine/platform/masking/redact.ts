import type { Header } from '#contract/models.ts'

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const encoded = encodeURIComponent(secret)
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    encoded,
    // As in a form (application/x-www-form-urlencoded), and as `URL` writes a query.
    new URLSearchParams({ a: secret }).toString().slice(2),
    new URL(`http://a/?${secret}`).search.slice(1),
    encoded.replaceAll(/%[\dA-F]{2}/g, (each) => each.toLowerCase()),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('latin1'),
  ].filter((form) => form.length >= 6)
}

export type Redact = ReturnType<typeof createRedact>

/** `replacement` takes the place of each secret, in every encoding. Secrets of less than 6 characters are not found. */
export function createRedact(secrets: readonly string[], replacement: string) {
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length)
  const isIn = (text: string): boolean => forms.some((form) => text.includes(form))
  const text = (value: string): string =>
    forms.reduce((rest, form) => rest.replaceAll(form, replacement), value)
  return {
    isIn,
    text,
    bytes: (bytes: Uint8Array): Uint8Array => {
      // Latin-1 keeps every byte, so that bytes around the secret stay as they are.
      const read = Buffer.from(bytes).toString('latin1')
      const replaced = text(read)
      return replaced === read ? bytes : Buffer.from(replaced, 'latin1')
    },
    headers: (headers: readonly Header[]): Header[] =>
      headers.map(([name, value]): Header => {
        const credentials = /^Basic {1,8}(\S.*)$/i.exec(value)?.[1]
        const hides =
          credentials !== undefined && isIn(Buffer.from(credentials, 'base64').toString())
        return [name, hides ? `Basic ${replacement}` : text(value)]
      }),
  }
}
