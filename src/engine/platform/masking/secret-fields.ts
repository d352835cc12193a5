import { maskMarker, maskPattern } from '#contract/masks.ts'
import type { Header } from '#contract/models.ts'
import { jsonMembers } from './json-members.ts'
import type { Masker } from './masker.ts'
import { isSecretField, secretHeaders } from './secret-names.ts'

/** A shorter value may be a common word. */
const distinctiveLength = 12

const inQuotedJson = /\\"([^"\\]{1,100})\\"(\s*:\s*)\\"([^"\\]+)/g
const inQuery = /(^|[?&;,\s"'])([\w.%-]{1,60})=([^&\s"'<>;,]+)/g

/** Masks values whose names say that they are probably secret, in JSON (even if truncated) and in queries. Known values are masked first. */
export function maskSecretFields(masker: Masker, text: string): string {
  return maskQuery(
    masker,
    maskMembers(masker, masker.mask(text)).replaceAll(
      inQuotedJson,
      (match, key: string, colon: string, value: string) =>
        isSecret(key, value)
          ? String.raw`\"${key}\"${colon}\"${markerFor(masker, key, value)}`
          : match,
    ),
  )
}

function maskMembers(masker: Masker, text: string): string {
  const pieces: string[] = []
  let at = 0
  for (const { key, value, quoted, from, to } of jsonMembers(text)) {
    if (!quoted || !isSecret(key, value)) continue
    pieces.push(text.slice(at, from), markerFor(masker, key, unquoted(value)))
    at = to
  }
  return pieces.join('') + text.slice(at)
}

export function maskQuery(masker: Masker, text: string): string {
  return masker
    .mask(text)
    .replaceAll(inQuery, (match, before: string, key: string, value: string) =>
      isSecret(key, value)
        ? `${before}${key}=${markerFor(masker, key, new URLSearchParams(`v=${value}`).get('v') ?? value)}`
        : match,
    )
}

export function maskHeaders(masker: Masker, headers: readonly Header[]): Header[] {
  return headers.map(([name, value]) => [name, maskHeader(masker, name.toLowerCase(), value)])
}

function maskHeader(masker: Masker, name: string, value: string): string {
  const known = masker.mask(value)
  if (name === 'set-cookie') {
    const cookie = /^([^=;]*)=([^;]*)/.exec(known)
    if (!cookie?.[2] || isMarked(cookie[2])) return known
    const marker = markerFor(masker, 'set_cookie', cookie[2])
    return `${cookie[1]}=${marker}${known.slice(cookie[0].length)}`
  }
  if (secretHeaders.has(name)) {
    return isMarked(known.replace(/^[\w-]+ +/, '')) ? known : markerFor(masker, name, known)
  }
  return maskQuery(masker, known)
}

function isSecret(key: string, value: string): boolean {
  return !isMarked(value) && isSecretField(key, value)
}

function isMarked(value: string): boolean {
  return value.replaceAll(maskPattern, '').trim() === ''
}

function unquoted(json: string): string {
  try {
    const value: unknown = JSON.parse(`"${json}"`)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}

function markerFor(masker: Masker, key: string, value: string): string {
  const name = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 30)
  return maskMarker(
    masker.hold(
      name || 'value',
      `Value of "${key.slice(0, 60)}"`,
      value,
      value.length >= distinctiveLength,
    ),
  )
}
