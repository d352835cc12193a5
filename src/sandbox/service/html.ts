import { escapeOf, hiddenCharacters } from '#shared/text/visible.ts'
import type { HttpResponse } from './http.ts'

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | false | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Also escapes hidden characters: bidirectional controls could make one URL look like another. */
const escape = (text: string) =>
  text
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(hiddenCharacters, (character) =>
      /[\t\n\r]/.test(character) ? character : escapeOf(character),
    )

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escape(part)
  if (typeof part === 'number') return String(part)
  if (part === null || part === false) return ''
  return part.map(render).join('')
}

/** Escapes all values except other `Html`. Attribute values must be in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + render(parts[index] ?? null)).join(''))
}

export const stylesheetPath = '/sandbox.css'

/**
 * No scripts, one stylesheet, no framing. `form-action` is omitted where the response to a form redirects to another origin, because Chromium also applies
 * it to redirects after a form.
 */
function policy(formsStayHere: boolean): string {
  const parts = ["default-src 'none'", "style-src 'self'", "base-uri 'none'"]
  if (formsStayHere) parts.push("form-action 'self'")
  return [...parts, "frame-ancestors 'none'"].join('; ')
}

/** `formsStayHere`: forms are submitted to this server only. */
export function page(
  status: number,
  title: string,
  body: Html,
  { formsStayHere }: { formsStayHere: boolean },
): HttpResponse {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylesheetPath}" />
      </head>
      <body>
        ${body}
      </body>
    </html>`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(formsStayHere),
    },
    body: text,
  }
}

export const logo = html`<svg
  class="sign"
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
  stroke-linecap="round"
  stroke-linejoin="round"
  aria-hidden="true"
>
  <path d="M6 3h12l-2 9a4 4 0 0 1-8 0zM12 16v5m-4 0h8" />
</svg>`
