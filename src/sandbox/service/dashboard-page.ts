import type { Section } from './dashboard-actions.ts'
import { tokensSection } from './dashboard-tokens.ts'
import type { Desk } from './desk.ts'
import { html, type Html, page, sign, buttonFor, formFor, type FormMessage } from './html.ts'
import type { Answer } from './http.ts'
import { faults, faultDescriptions } from './faults.ts'
import { authorizePath } from './authorize-page.ts'
import { locationsPath } from './resource.ts'
import { tokenPath } from './token.ts'
import { allTypes } from '../steps.ts'
import type { WebhookView } from './webhooks.ts'

/** What became of the form that was sent last. */
export interface Notice {
  readonly section: Section
  readonly sentence: string
  readonly ok: boolean
  /** The address that was entered and not taken, to be mended; empty: none. */
  readonly entered: string
}

/** The dashboard: what the integrations dashboard of the service is for, and what only a sandbox can do. */
export function dashboardPage(status: number, desk: Desk, notice: Notice | undefined): Answer {
  const said = (section: Section) =>
    notice?.section === section &&
    html`<p class="notice ${notice.ok ? 'ok' : 'bad'}" role="${notice.ok ? 'status' : 'alert'}">
      ${notice.sentence}
    </p>`
  const entered = (section: Section) => (notice?.section === section ? notice.entered : '')
  const on = desk.faults.size
  return page(
    status,
    'Sandbox: the service in miniature',
    html`<header class="top">
        <h1 class="brand">${sign}<span>Sandbox: the service in miniature</span></h1>
        <p class="chip"><code>${desk.baseUrl}</code></p>
        ${
          on > 0 &&
          html`<p class="chip warn">
            <a href="#faults">${on === 1 ? '1 fault is on' : `${on} faults are on`}</a>
          </p>`
        }
        <p class="reload"><a href="/">Reload</a></p>
      </header>
      <main class="dashboard">
        <p class="lead">
          Authorization, tokens and webhooks as the service’s document has them, to try a client on.
          Users, locations and the resource are made up; all is forgotten when the sandbox stops.
        </p>
        <div class="column">${integrationSection(desk)} ${tokensSection(desk, said('tokens'))}</div>
        <div class="column">
          ${redirectUrlsSection(desk, said('redirect-urls'), entered('redirect-urls'))}
          ${webhooksSection(desk, said('webhooks'), entered('webhooks'))}
        </div>
        ${faultsSection(desk, said('faults'))}
      </main>`,
    { formsStayHere: true },
  )
}

/** What the sandbox is to do wrong. */
function faultsSection(desk: Desk, said: FormMessage): Html {
  const group = (at: 'redirect' | 'token', title: string) =>
    html`<fieldset class="faults">
      <legend>${title}</legend>
      ${faults
        .filter((fault) => faultDescriptions[fault].at === at)
        .map(
          (fault) =>
            html`<label>
              <input
                type="checkbox"
                name="fault"
                value="${fault}"
                ${desk.faults.has(fault) && html`checked`}
              />
              <code>${fault}</code> <span>${faultDescriptions[fault].does}</span>
            </label>`,
        )}
    </fieldset>`
  return html`<section class="card wide" id="faults" aria-labelledby="faults-title">
    <h2 id="faults-title">Faults</h2>
    ${said}
    <p class="hint">
      What the sandbox does wrong on purpose, so that a client can be seen to bear it.
    </p>
    ${formFor(
      'set-faults',
      'stack',
      html`<div class="groups">
          ${group('redirect', 'On the way back')} ${group('token', 'At the token endpoint')}
        </div>
        <button>Set the faults</button>`,
    )}
  </section>`
}

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
function integrationSection(desk: Desk): Html {
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
function redirectUrlsSection(desk: Desk, said: FormMessage, entered: string): Html {
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
        : html`<p class="empty">None. Add exactly the one that your client sends.</p>`
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

function row({ id, url, signed, sent, failed, lastStatus, lastError }: WebhookView): Html {
  return html`<li>
    <div class="grow">
      <code>${url}</code>
      <small>
        ${signed ? 'Signed' : 'Not signed, no secret'} · ${sent} sent · ${failed} failed
        ${lastStatus !== null && html` · last answer ${lastStatus}`}
      </small>
      ${lastError !== null && html`<small class="bad">${lastError}</small>`}
    </div>
    ${buttonFor('remove-webhook', 'Remove', { field: 'id', value: String(id), of: url })}
  </li>`
}

function sending(rate: number | null): Html {
  return html`<div class="sending">
    ${formFor(
      'send-type',
      'line',
      html`<label class="grow"
          >Type
          <select name="type">
            ${allTypes().map((type) => html`<option>${type}</option>`)}
          </select></label
        >
        <button>Send one</button>`,
    )}
    ${formFor(
      'start-evening',
      'line',
      html`<label class="grow"
          >An evening at the bar, deliveries a second
          <input
            name="rate"
            type="number"
            min="0.1"
            max="10000"
            step="any"
            value="${rate ?? 1}"
            required
        /></label>
        <button>${rate === null ? 'Start' : 'Restart'}</button>`,
    )}
    <div class="buttons">
      ${buttonFor('send-all', 'Send one of each type')}
      ${rate !== null && html`${buttonFor('stop-evening', 'Stop the evening')}`}
    </div>
    ${
      rate !== null &&
      html`<p class="hint">
        An evening is running: ${rate} per second to each webhook. Reload to see the results.
      </p>`
    }
  </div>`
}

/** Where the service sends what happens, and ways to make it happen. */
function webhooksSection({ webhooks }: Desk, said: FormMessage, entered: string): Html {
  const list = webhooks.list()
  return html`<section class="card" id="webhooks" aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">Webhooks</h2>
    ${said}
    ${
      list.length > 0
        ? html`<ul class="rows">
              ${list.map(row)}
            </ul>
            ${sending(webhooks.evening())}`
        : html`<p class="empty">None. Add the address that receives deliveries.</p>`
    }
    ${formFor(
      'add-webhook',
      'line',
      html`<label class="grow"
          >Another webhook
          <input
            name="url"
            type="text"
            value="${entered}"
            inputmode="url"
            autocomplete="off"
            spellcheck="false"
            placeholder="http://127.0.0.1:4780/hooks/main"
            required
        /></label>
        <label class="grow"
          >Secret, if it is to be signed
          <input name="secret" type="password" autocomplete="new-password" />
        </label>
        <button>Add</button>`,
    )}
  </section>`
}
