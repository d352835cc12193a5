import type { Section } from './dashboard-actions.ts'
import { tokensSection } from './dashboard-tokens.ts'
import type { ServiceContext } from './context.ts'
import { html, type Html, page, logo, buttonFor, formFor, type FormMessage } from './html.ts'
import type { HttpResponse } from './http.ts'
import { faults, faultDescriptions } from './faults.ts'
import { authorizePath } from './authorize-page.ts'
import { locationsPath } from './resource.ts'
import { tokenPath } from './token.ts'
import { allTypes } from '../steps.ts'
import type { WebhookView } from './webhooks.ts'

/** The result of the form that was submitted last. */
export interface Notice {
  readonly section: Section
  readonly message: string
  readonly ok: boolean
  /** The rejected URL, shown again so that the user can fix it; empty: none. */
  readonly entered: string
}

/** The dashboard: the functions of the platform's integrations dashboard, and functions that only the sandbox has. */
export function dashboardPage(
  status: number,
  context: ServiceContext,
  notice: Notice | undefined,
): HttpResponse {
  const message = (section: Section) =>
    notice?.section === section &&
    html`<p class="notice ${notice.ok ? 'ok' : 'bad'}" role="${notice.ok ? 'status' : 'alert'}">
      ${notice.message}
    </p>`
  const entered = (section: Section) => (notice?.section === section ? notice.entered : '')
  const activeFaults = context.faults.size
  return page(
    status,
    'Sandbox: simulated service',
    html`<header class="top">
        <h1 class="brand">${logo}<span>Sandbox: simulated service</span></h1>
        <p class="chip"><code>${context.baseUrl}</code></p>
        ${
          activeFaults > 0 &&
          html`<p class="chip warn">
            <a href="#faults"
              >${activeFaults === 1 ? '1 active fault' : `${activeFaults} active faults`}</a
            >
          </p>`
        }
        <p class="reload"><a href="/">Reload</a></p>
      </header>
      <main class="dashboard">
        <p class="lead">
          Test a client against authorization, tokens and webhooks as described in the API
          documentation. Users, locations and the resource are fictional. All data is deleted when
          the sandbox stops.
        </p>
        <div class="column">
          ${integrationSection(context)} ${tokensSection(context, message('tokens'))}
        </div>
        <div class="column">
          ${redirectUrlsSection(context, message('redirect-urls'), entered('redirect-urls'))}
          ${webhooksSection(context, message('webhooks'), entered('webhooks'))}
        </div>
        ${faultsSection(context, message('faults'))}
      </main>`,
    { formsStayHere: true },
  )
}

/** The faults that the sandbox can simulate. */
function faultsSection(context: ServiceContext, message: FormMessage): Html {
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
                ${context.faults.has(fault) && html`checked`}
              />
              <code>${fault}</code> <span>${faultDescriptions[fault].does}</span>
            </label>`,
        )}
    </fieldset>`
  return html`<section class="card wide" id="faults" aria-labelledby="faults-title">
    <h2 id="faults-title">Faults</h2>
    ${message}
    <p class="hint">Errors that the sandbox simulates, to test how a client handles them.</p>
    ${formFor(
      'set-faults',
      'stack',
      html`<div class="groups">
          ${group('redirect', 'Redirect')} ${group('token', 'Token endpoint')}
        </div>
        <button>Save faults</button>`,
    )}
  </section>`
}

/** A valid authorization request without a state, to preview the page. */
function authorizeAddress({ accessId }: ServiceContext, redirectUrl: string): string {
  const query = new URLSearchParams({
    response_type: 'code',
    access_id: accessId,
    redirect_url: redirectUrl,
  })
  return `${authorizePath}?${query.toString()}`
}

/** The values to enter in a client. */
function integrationSection(context: ServiceContext): Html {
  const { baseUrl, accessId, accessSecret } = context
  return html`<section class="card" aria-labelledby="integration">
    <h2 id="integration">Integration</h2>
    <dl class="values">
      <dt>Base URL</dt>
      <dd><code>${baseUrl}</code></dd>
      <dt>Access ID</dt>
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
      <dt>Fictional resource</dt>
      <dd><code>GET ${locationsPath}</code></dd>
    </dl>
  </section>`
}

/** The redirect URLs. The `redirect_url` of a request must exactly match one of them. */
function redirectUrlsSection(context: ServiceContext, message: FormMessage, entered: string): Html {
  const rows = context.redirectUrls.map(
    (url) =>
      html`<li>
        <code>${url}</code>
        <a
          class="button"
          href="${authorizeAddress(context, url)}"
          aria-label="Authorize with ${url}"
        >
          Authorize
        </a>
        ${buttonFor('remove-redirect-url', 'Remove', { field: 'url', value: url, of: url })}
      </li>`,
  )
  return html`<section class="card" id="redirect-urls" aria-labelledby="redirect-urls-title">
    <h2 id="redirect-urls-title">Redirect URLs</h2>
    ${message}
    ${
      rows.length > 0
        ? html`<ul class="rows">
            ${rows}
          </ul>`
        : html`<p class="empty">No redirect URLs. Add exactly the URL that your client sends.</p>`
    }
    ${formFor(
      'add-redirect-url',
      'line',
      html`<label class="grow"
          >Add a redirect URL
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

function webhookRow({ id, url, signed, sent, failed, lastStatus, lastError }: WebhookView): Html {
  return html`<li>
    <div class="grow">
      <code>${url}</code>
      <small>
        ${signed ? 'Signed' : 'Not signed (no secret)'} · ${sent} sent · ${failed} failed
        ${lastStatus !== null && html` · last response ${lastStatus}`}
      </small>
      ${lastError !== null && html`<small class="bad">${lastError}</small>`}
    </div>
    ${buttonFor('remove-webhook', 'Remove', { field: 'id', value: String(id), of: url })}
  </li>`
}

function sendingForms(rate: number | null): Html {
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
          >Simulated traffic, deliveries per second
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
      ${rate !== null && html`${buttonFor('stop-evening', 'Stop traffic')}`}
    </div>
    ${
      rate !== null &&
      html`<p class="hint">
        Simulated traffic is running: ${rate} per second to each webhook. Reload to see the results.
      </p>`
    }
  </div>`
}

/** The webhooks, and forms that send deliveries to them. */
function webhooksSection(
  { webhooks }: ServiceContext,
  message: FormMessage,
  entered: string,
): Html {
  const list = webhooks.list()
  return html`<section class="card" id="webhooks" aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">Webhooks</h2>
    ${message}
    ${
      list.length > 0
        ? html`<ul class="rows">
              ${list.map(webhookRow)}
            </ul>
            ${sendingForms(webhooks.evening())}`
        : html`<p class="empty">No webhooks. Add the URL that receives deliveries.</p>`
    }
    ${formFor(
      'add-webhook',
      'line',
      html`<label class="grow"
          >Add a webhook
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
          >Signing secret (optional)
          <input name="secret" type="password" autocomplete="new-password" />
        </label>
        <button>Add</button>`,
    )}
  </section>`
}
