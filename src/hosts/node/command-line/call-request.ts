import type { ApiParameter } from '#contract/api.ts'
import { UsageError } from './errors.ts'

/** `name=value`; the value may contain `=`. Throws `UsageError`. */
export function queryOf(texts: readonly string[]): ApiParameter[] {
  return texts.map((text) => split(text, '=', '--query requires name=value'))
}

/** `Name: value`. Throws `UsageError`. */
export function headersOf(texts: readonly string[]): ApiParameter[] {
  return texts.map((text) => {
    const { name, value, on } = split(text, ':', '--header requires "Name: value"')
    return { name: name.trim(), value: value.trim(), on }
  })
}

function split(text: string, by: string, message: string): ApiParameter {
  const at = text.indexOf(by)
  if (at < 1) throw new UsageError(`${message}, not "${text}".`)
  return { name: text.slice(0, at), value: text.slice(at + 1), on: true }
}

/** A JSON body without a content type gets one. */
export function withType(headers: ApiParameter[], body: string): ApiParameter[] {
  if (body === '' || headers.some(({ name }) => name.toLowerCase() === 'content-type')) {
    return headers
  }
  try {
    JSON.parse(body)
  } catch {
    return headers
  }
  return [...headers, { name: 'Content-Type', value: 'application/json', on: true }]
}
