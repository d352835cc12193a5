import type { RefreshTemplate } from '#contract/integrations.ts'
import type { Header } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'

export interface RefreshValues {
  readonly refresh_token: string
  readonly access_id: string
  readonly access_secret: string
}

/** `problem` is a sentence that contains no value. */
export type RenderedRefresh =
  | {
      readonly request: {
        readonly method: string
        readonly url: URL
        readonly headers: Header[]
        readonly body: string | null
      }
    }
  | { readonly problem: string }

type Encode = (value: string) => string

const placeholder = /\{\{([^{}]*)\}\}/g

/**
 * Values are URL-encoded in the path, unchanged in headers, and escaped in a JSON or form body. The request must stay on the origin of `baseUrl`. A
 * template that cannot be sent exactly as written is a problem.
 */
export function renderRefresh(
  template: RefreshTemplate,
  values: RefreshValues,
  baseUrl: string,
): RenderedRefresh {
  try {
    const fill = (where: string, text: string, encode: Encode): string =>
      text.replaceAll(placeholder, (_, name: string) => encode(valueOf(values, name.trim(), where)))
    const url = urlOf(
      fill('path', template.path, (value) => encodeURIComponent(value.toWellFormed())),
      baseUrl,
    )
    const headers = template.headers.map(([name, value]): Header => {
      const filled = fill(`header ${name}`, value, (text) => text)
      assertHeader(name, filled)
      return [name, filled]
    })
    return { request: { method: template.method, url, headers, body: bodyOf(template, fill) } }
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message }
    throw error
  }
}

export function usesPlaceholder(template: RefreshTemplate, name: keyof RefreshValues): boolean {
  const texts = [template.path, template.body, ...template.headers.map(([, value]) => value)]
  return texts.some((text) =>
    [...text.matchAll(placeholder)].some((found) => found[1]?.trim() === name),
  )
}

function valueOf(values: RefreshValues, name: string, where: string): string {
  switch (name) {
    case 'refresh_token':
    case 'access_id':
    case 'access_secret':
      return values[name]
    default:
      throw new AppError(
        'bad_input',
        `The ${where} of the refresh template has the unknown placeholder {{${name}}}. Use {{refresh_token}}, {{access_id}} or {{access_secret}}.`,
      )
  }
}

function urlOf(path: string, baseUrl: string): URL {
  const base = URL.parse(baseUrl)
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw new AppError('bad_input', 'The base URL of the integration must be an http or https URL.')
  }
  // An absolute or scheme-relative URL would name another server.
  const absolute = /^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(path)
  const joined = absolute
    ? path
    : `${base.href.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\//, '')}`
  const url = URL.parse(joined, base.href)
  if (!url) {
    throw new AppError(
      'bad_input',
      'The path of the refresh template is invalid. Start it with a slash.',
    )
  }
  if (
    url.origin !== base.origin ||
    url.username !== base.username ||
    url.password !== base.password
  ) {
    throw new AppError(
      'bad_input',
      `The path of the refresh template leaves ${base.origin}. Credentials are sent only to the integration’s own origin. Enter a path under its base URL.`,
    )
  }
  url.hash = ''
  return url
}

/** RFC 9110, section 5. An inserted value could contain a line break. */
function assertHeader(name: string, value: string): void {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
    throw new AppError(
      'bad_input',
      `The refresh template has a header with an invalid name: ${JSON.stringify(name)}.`,
    )
  }
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new AppError(
      'bad_input',
      `The header ${name} of the refresh template would contain a line break or another character that is not allowed in headers.`,
    )
  }
}

function bodyOf(
  template: RefreshTemplate,
  fill: (where: string, text: string, encode: Encode) => string,
): string | null {
  if (template.body === '') return null
  if (template.method === 'GET') {
    throw new AppError('bad_input', 'A GET request has no body. Clear the body, or use POST.')
  }
  const type = template.headers
    .find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    .split(';')[0]
    ?.trim()
    .toLowerCase()
  const isJsonType = type !== undefined && /^application\/(json|[^;]+\+json)$/.test(type)
  const asJson = fill('body', template.body, (value) => JSON.stringify(value).slice(1, -1))
  if (isJsonType && !isJson(asJson)) {
    throw new AppError(
      'bad_input',
      'The body of the refresh template is not JSON after its values are inserted, although its Content-Type says so. Check the commas, and put placeholders in quotes.',
    )
  }
  if (type === 'application/x-www-form-urlencoded') return fill('body', template.body, formEncoded)
  return isJson(asJson) ? asJson : fill('body', template.body, (value) => value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function formEncoded(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2)
}
