import { maskMarker, maskPattern } from '#contract/masks.ts'
import type { Header } from '#contract/models.ts'
import type { Masker } from '../records/masker.ts'
import { isSecretName, markerName, secretFields } from './secret-names.ts'

/** Values shorter than this are not looked for elsewhere, in characters. */
const searchable = 8

/** Takes the secrets out of headers, credentials by their place: what they hold need not be known, nor be long enough to be searched for. */
export function maskHeader(masker: Masker, [name, value]: Header): Header {
  return [masker.mask(name), maskHeaderValue(masker, name.toLowerCase(), value)]
}

function maskHeaderValue(masker: Masker, name: string, value: string): string {
  if (name === 'authorization' || name === 'proxy-authorization') {
    const [, scheme = '', credentials = ''] = /^(\S+\s+)?(.*)$/s.exec(value) ?? []
    return scheme + held(masker, 'authorization', 'Authorization header', credentials)
  }
  if (name === 'cookie') return maskCookies(masker, value)
  if (name === 'set-cookie') {
    const end = value.indexOf(';')
    const cookie = end === -1 ? value : value.slice(0, end)
    return maskCookies(masker, cookie) + masker.mask(value.slice(cookie.length))
  }
  if (isSecretName(name)) return held(masker, `header_${markerName(name)}`, `Header ${name}`, value)
  return masker.mask(value)
}

function maskCookies(masker: Masker, cookies: string): string {
  return cookies
    .split(';')
    .map((cookie) => {
      const at = cookie.indexOf('=') + 1
      const name = cookie.slice(0, at)
      return (
        masker.mask(name) +
        held(masker, 'cookie', `Cookie ${name.slice(0, -1).trim()}`, cookie.slice(at))
      )
    })
    .join(';')
}

/**
 * A marker in the place of the value. Markers that it holds already stay, where they are all of it. A short value is hidden for good: looked for
 * elsewhere, it would be found in words that mean something else.
 */
function held(masker: Masker, name: string, label: string, value: string): string {
  if (value.replaceAll(maskPattern, '').trim() === '') return value
  const masked = masker.mask(value)
  if (masked.replaceAll(maskPattern, '').trim() === '') return masked
  return maskMarker(value.length < searchable ? 'hidden' : masker.hold(name, label, value))
}

/** Takes in what a text holds as secrets by the names of their fields, so that it is held back wherever it stands. */
export function learnFields(masker: Masker, text: string): void {
  for (const { name, value } of secretFields(text)) learn(masker, name, value)
}

/** The same for the query of an address. */
export function learnQuery(masker: Masker, query: Iterable<[name: string, value: string]>): void {
  for (const [name, value] of query) {
    if (isSecretName(name) || name === 'code') learn(masker, name, value)
  }
}

function learn(masker: Masker, name: string, value: string): void {
  if (value.length < searchable || value.replaceAll(maskPattern, '') === '') return
  masker.hold(`field_${markerName(name)}`, `Field ${name}`, value)
}
