import type { Section } from './dashboard-actions.ts'
import { faultsSection } from './dashboard-faults.ts'
import { integrationSection, redirectUrlsSection } from './dashboard-integration.ts'
import { tokensSection } from './dashboard-tokens.ts'
import { webhooksSection } from './dashboard-webhooks.ts'
import type { Desk } from './desk.ts'
import { html } from './html.ts'
import type { Answer } from './http.ts'
import { page, sign } from './page.ts'

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
