import type { RefreshTemplate } from '#contract/integrations.ts'
import type { Header } from '#contract/models.ts'

/** What the placeholders of a refresh template stand for, in clear text. */
export interface RefreshValues {
  readonly refresh_token: string
  readonly access_id: string
  readonly access_secret: string
}

/** The request that a template makes; `problem` is a sentence that holds no value. */
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

/** How a value is written where it is put. */
type Write = (value: string) => string

const placeholder = /\{\{([^{}]*)\}\}/g

class TemplateProblem extends Error {}

/**
 * Fills a refresh template in: a value is URL-encoded in the path, raw in a header, escaped in a JSON or form body. The request stays on
 * the origin of `baseUrl`. What cannot be sent as the user meant it is a problem, and not sent in another way.
 */
export function renderRefresh(
  template: RefreshTemplate,
  values: RefreshValues,
  baseUrl: string,
): RenderedRefresh {
  try {
    const fill = (where: string, text: string, write: Write): string =>
      text.replaceAll(placeholder, (_, name: string) => write(valueOf(values, name.trim(), where)))
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
    if (error instanceof TemplateProblem) return { problem: error.message }
    throw error
  }
}

/** Whether a template asks for a value. */
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
      throw new TemplateProblem(
        `The ${where} of the refresh template has the unknown placeholder {{${name}}}. Known are {{refresh_token}}, {{access_id}} and {{access_secret}}.`,
      )
  }
}

/** A path is appended to the base URL, whether or not one ends and the other begins with a slash. */
function urlOf(path: string, baseUrl: string): URL {
  const base = URL.parse(baseUrl)
  if (!base || !/^https?:$/.test(base.protocol)) {
    throw new TemplateProblem(
      'The base URL of the integration is no http or https address, so there is nowhere to send the refresh.',
    )
  }
  // An address of its own, or one without a scheme, would name another server.
  const absolute = /^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(path)
  const joined = absolute
    ? path
    : `${base.href.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\//, '')}`
  const url = URL.parse(joined, base.href)
  if (!url) {
    throw new TemplateProblem(
      'The path of the refresh template makes no address. Begin it with a slash.',
    )
  }
  if (
    url.origin !== base.origin ||
    url.username !== base.username ||
    url.password !== base.password
  ) {
    throw new TemplateProblem(
      `The path of the refresh template leaves ${base.origin}. Credentials go to the integration's own origin only: give a path under its base URL.`,
    )
  }
  url.hash = ''
  return url
}

/** Field names and values as HTTP allows them (RFC 9110, section 5); a value that came in could break a line. */
function assertHeader(name: string, value: string): void {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
    throw new TemplateProblem(
      `The refresh template has a header without a proper name: ${JSON.stringify(name)}.`,
    )
  }
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new TemplateProblem(
      `The header ${name} of the refresh template would hold a line break or another character that no header may carry.`,
    )
  }
}

function bodyOf(
  template: RefreshTemplate,
  fill: (where: string, text: string, write: Write) => string,
): string | null {
  if (template.body === '') return null
  if (template.method === 'GET') {
    throw new TemplateProblem('A GET request carries no body. Empty the body, or choose POST.')
  }
  const type = template.headers
    .find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    .split(';')[0]
    ?.trim()
    .toLowerCase()
  const saysJson = type !== undefined && /^application\/(json|[^;]+\+json)$/.test(type)
  const asJson = fill('body', template.body, (value) => JSON.stringify(value).slice(1, -1))
  if (saysJson && !isJson(asJson)) {
    throw new TemplateProblem(
      'The body of the refresh template is no JSON once it is filled in, although its Content-Type says so. Look at commas, and put placeholders between quotes.',
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

/** As in an HTML form: a space becomes a plus sign. */
function formEncoded(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2)
}
