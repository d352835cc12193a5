import type { Authorization, Problem } from './authorize.ts'
import type { HttpResponse } from './http.ts'
import { html, page, logo } from './html.ts'
import { users } from './grants.ts'

/** Its form is posted to the same path. */
export const authorizePath = '/manager/oauth'

const heading = html`<p class="brand">${logo}<span>Sandbox: simulated service</span></p>`

/** Here a user approves or denies a request. `ticket` is the one-time value of the form. */
export function authorizationPage(
  { redirectUrl }: Authorization,
  { accessId, ticket }: { accessId: string; ticket: string },
): HttpResponse {
  const choices = users.map(
    (user, index) =>
      html`<label class="choice">
        <input type="radio" name="user" value="${user.id}" ${index === 0 && html`checked`} />
        <span>
          <b>${user.name}, ${user.role}</b>
          <small>${user.locations.map(({ name }) => name).join(', ')}</small>
        </span>
      </label>`,
  )
  return page(
    200,
    'Authorize an integration · Sandbox',
    html`<main class="sheet">
      ${heading}
      <h1>Authorize an integration</h1>
      <p>If you approve, the integration can act on your behalf and access your locations.</p>
      <form method="post" action="${authorizePath}">
        <input type="hidden" name="ticket" value="${ticket}" />
        <fieldset>
          <legend>Sign in as</legend>
          ${choices}
        </fieldset>
        <dl>
          <dt>Integration</dt>
          <dd><code>${accessId}</code></dd>
          <dt>Redirects to</dt>
          <dd><code>${redirectUrl}</code></dd>
        </dl>
        <div class="buttons">
          <button class="primary" name="decision" value="approve">Approve</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
      <p class="note">
        Users and locations are fictional. The API documentation does not say what a rejection
        returns. The sandbox assumes <code>error=access_denied</code> (RFC 6749, 4.1.2.1).
      </p>
    </main>`,
    { formsStayHere: false },
  )
}

/** Does not redirect, because the redirect URL may not be trusted. */
export function invalidRequestPage(problems: readonly Problem[]): HttpResponse {
  const each = problems.map(
    ({ parameter, message, given, expected }) =>
      html`<li>
        <h2><code>${parameter}</code></h2>
        <p>${message}</p>
        <dl>
          <dt>Sent</dt>
          <dd>${given === null ? html`<i>nothing</i>` : html`<code>${given}</code>`}</dd>
          ${
            expected.length > 0 &&
            html`<dt>Expected</dt>
              <dd>${expected.map((value) => html`<code>${value}</code>`)}</dd>`
          }
        </dl>
      </li>`,
  )
  return page(
    400,
    'Invalid authorization request · Sandbox',
    html`<main class="sheet">
      ${heading}
      <h1>Invalid authorization request</h1>
      <p>Fix these problems in the URL, then open it again. You were not redirected.</p>
      <ul class="mistakes">
        ${each}
      </ul>
    </main>`,
    { formsStayHere: true },
  )
}

export function messagePage(status: number, title: string, message: string): HttpResponse {
  return page(
    status,
    `${title} · Sandbox`,
    html`<main class="sheet">
      ${heading}
      <h1>${title}</h1>
      <p>${message}</p>
    </main>`,
    { formsStayHere: true },
  )
}

/** The fault `by_link`: the user follows a link instead of a redirect. */
export function linkPage(target: string): HttpResponse {
  return page(
    200,
    'Continue · Sandbox',
    html`<main class="sheet">
      ${heading}
      <h1>Done</h1>
      <p>The fault “by_link” is active: follow the link instead of a redirect.</p>
      <p class="buttons"><a class="button primary" href="${target}">Continue</a></p>
    </main>`,
    { formsStayHere: true },
  )
}
