import type { Authorization, Mistake } from './authorize.ts'
import type { Answer } from './http.ts'
import { html, page, sign } from './html.ts'
import { users } from './grants.ts'

/** Where the authorization page is, and where its form goes. */
export const authorizePath = '/manager/oauth'

const heading = html`<p class="brand">${sign}<span>Sandbox: the service in miniature</span></p>`

/** The page on which a user approves or denies. `ticket` is the one-time value of its form. */
export function authorizationPage(
  { redirectUrl }: Authorization,
  { accessId, ticket }: { accessId: string; ticket: string },
): Answer {
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
      <h1>An integration asks to act for you</h1>
      <p>Once you approve, its requests are made on your behalf and see the locations you see.</p>
      <form method="post" action="${authorizePath}">
        <input type="hidden" name="ticket" value="${ticket}" />
        <fieldset>
          <legend>Who are you?</legend>
          ${choices}
        </fieldset>
        <dl>
          <dt>Integration</dt>
          <dd><code>${accessId}</code></dd>
          <dt>Leads back to</dt>
          <dd><code>${redirectUrl}</code></dd>
        </dl>
        <div class="buttons">
          <button class="primary" name="decision" value="approve">Approve</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
      <p class="note">
        Users and locations are made up. The API documentation does not say what a rejection
        returns: the sandbox assumes <code>error=access_denied</code>, after RFC 6749, 4.1.2.1.
      </p>
    </main>`,
    { formsStayHere: false },
  )
}

/** What is wrong with an authorization request. It leads nowhere: an address that is not known is not redirected to. */
export function mistakesPage(mistakes: readonly Mistake[]): Answer {
  const each = mistakes.map(
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
              <dd>${expected.map((one) => html`<code>${one}</code>`)}</dd>`
          }
        </dl>
      </li>`,
  )
  return page(
    400,
    'Not an authorization request · Sandbox',
    html`<main class="sheet">
      ${heading}
      <h1>This authorization request cannot be shown</h1>
      <p>Fix the following in the URL, and open it again. Nothing was returned.</p>
      <ul class="mistakes">
        ${each}
      </ul>
      <p class="note"><a href="/">Open the dashboard</a></p>
    </main>`,
    { formsStayHere: true },
  )
}

/** A page with one thing to say. */
export function wordPage(status: number, title: string, sentence: string): Answer {
  return page(
    status,
    `${title} · Sandbox`,
    html`<main class="sheet">
      ${heading}
      <h1>${title}</h1>
      <p>${sentence}</p>
      <p class="note"><a href="/">Open the dashboard</a></p>
    </main>`,
    { formsStayHere: true },
  )
}

/** The fault `by_link`: the way back is a link that the user follows. */
export function linkPage(target: string): Answer {
  return page(
    200,
    'Go back · Sandbox',
    html`<main class="sheet">
      ${heading}
      <h1>Done</h1>
      <p>The fault “by_link” is on: follow the link instead of a redirect.</p>
      <p class="buttons"><a class="button primary" href="${target}">Continue</a></p>
    </main>`,
    { formsStayHere: true },
  )
}
