import { escapeOf, hiddenCharacters } from '#shared/text/visible.ts'
import type { Answer } from './http.ts'
import { actionPath, actions, type ActionName } from './dashboard-actions.ts'

/** Markup that is safe to put into a page. */
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

/** Marks that turn the direction of writing would let one address look like another: they are shown as what they are. */
const escape = (text: string) =>
  text
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
    .replace(hiddenCharacters, (sign) => (/[\t\n\r]/.test(sign) ? sign : escapeOf(sign)))

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escape(part)
  if (typeof part === 'number') return String(part)
  if (part === null || part === false) return ''
  return part.map(render).join('')
}

/** Markup with everything put into it escaped, but other markup. Attributes must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + render(parts[index] ?? null)).join(''))
}

/** Where the stylesheet is. */
export const stylesheetPath = '/sandbox.css'

/**
 * A page's policy: no script at all, one stylesheet, no frame around it. `form-action` is left out where the answer to a form
 * redirects to another origin: Chromium holds redirects after a form to it.
 */
function policy(formsStayHere: boolean): string {
  const parts = ["default-src 'none'", "style-src 'self'", "base-uri 'none'"]
  if (formsStayHere) parts.push("form-action 'self'")
  return [...parts, "frame-ancestors 'none'"].join('; ')
}

/** A whole page. `formsStayHere`: its forms lead to this server only. */
export function page(
  status: number,
  title: string,
  body: Html,
  { formsStayHere }: { formsStayHere: boolean },
): Answer {
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

/** The sign of the sandbox: a glass. */
export const sign = html`<svg
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

/** What a section says of the form that was sent last; false: nothing. */
export type FormMessage = Html | false

/** The form of an action. Its address ends with the section, so that the page that follows is shown there. */
export function formFor(name: ActionName, className: string, fields: Html): Html {
  return html`<form
    class="${className}"
    method="post"
    action="${actionPath(name)}#${actions[name].section}"
  >
    ${fields}
  </form>`
}

/** A form that is one button; `value` goes along as `field`. */
export function buttonFor(
  name: ActionName,
  label: string,
  options: { readonly field?: string; readonly value?: string; readonly of?: string } = {},
): Html {
  const { field, value = '', of } = options
  return formFor(
    name,
    'inline',
    html`${field !== undefined && html`<input type="hidden" name="${field}" value="${value}" />`}
      <button ${of !== undefined && html`aria-label="${`${label} ${of}`}"`}>${label}</button>`,
  )
}
