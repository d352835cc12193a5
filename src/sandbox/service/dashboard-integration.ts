import { authorizePath } from './authorize-page.ts'
import { buttonFor, formFor } from './dashboard-form.ts'
import type { Said } from './dashboard-form.ts'
import type { Desk } from './desk.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { locationsPath } from './resource.ts'
import { tokenPath } from './token.ts'

/** An authorization request that is right, without a state: to see the page. */
function authorizeAddress({ accessId }: Desk, redirectUrl: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    access_id: accessId,
    redirect_url: redirectUrl,
  })
  return `${authorizePath}?${query.toString()}`
}

/** What is entered in a client. */
export function integrationSection(desk: Desk): Html {
  const { baseUrl, accessId, accessSecret } = desk
  return html`<section class="card" aria-labelledby="integration">
    <h2 id="integration">Integration</h2>
    <dl class="values">
      <dt>Base URL</dt>
      <dd><code>${baseUrl}</code></dd>
      <dt>Access id</dt>
      <dd><code>${accessId}</code></dd>
      <dt>Access secret</dt>
      <dd>
        <details>
          <summary>Show</summary>
          <code>${accessSecret}</code>
        </details>
      </dd>
      <dt>Authorization page</dt>
      <dd><code>GET ${authorizePath}</code></dd>
      <dt>Token endpoint</dt>
      <dd><code>POST ${tokenPath}</code></dd>
      <dt>Resource, made up</dt>
      <dd><code>GET ${locationsPath}</code></dd>
    </dl>
  </section>`
}

/** The redirect URLs, of which one must equal the `redirect_url` of a request to the byte. */
export function redirectUrlsSection(desk: Desk, said: Said, entered: string): Html {
  const rows = desk.redirectUrls.map(
    (url) =>
      html`<li>
        <code>${url}</code>
        <a class="button" href="${authorizeAddress(desk, url)}" aria-label="Authorize with ${url}">
          Authorize
        </a>
        ${buttonFor('remove-redirect-url', 'Remove', { field: 'url', value: url, of: url })}
      </li>`,
  )
  return html`<section class="card" id="redirect-urls" aria-labelledby="redirect-urls-title">
    <h2 id="redirect-urls-title">Redirect URLs</h2>
    ${said}
    ${
      rows.length > 0
        ? html`<ul class="rows">
            ${rows}
          </ul>`
        : html`<p class="empty">None. Add the one that your client sends, to the byte.</p>`
    }
    ${formFor(
      'add-redirect-url',
      'line',
      html`<label class="grow"
          >Another redirect URL
          <input
            name="url"
            type="text"
            value="${entered}"
            inputmode="url"
            autocomplete="off"
            spellcheck="false"
            placeholder="http://127.0.0.1:5000/callback"
            required
        /></label>
        <button>Add</button>`,
    )}
  </section>`
}
