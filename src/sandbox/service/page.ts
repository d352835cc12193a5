import type { Answer } from './http.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

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
