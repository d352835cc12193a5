import { buttonFor, formFor, type FormMessage, html, type Html } from './html.ts'
import type { ServiceContext } from './context.ts'
import type { TokenRow, TokenState } from './grants.ts'

/** Number of tokens shown. Older ones are only counted. */
const maxRows = 12

/** Each state has an icon and a label, not only a color. */
const states: Readonly<Record<TokenState, { readonly icon: Html; readonly label: string }>> = {
  alive: { icon: html`<circle cx="6" cy="6" r="4" fill="currentColor" />`, label: 'valid' },
  expired: {
    icon: html`<circle cx="6" cy="6" r="4" /><path d="M6 4v2l1.5 1" />`,
    label: 'expired',
  },
  revoked: { icon: html`<path d="m3 3 6 6m0-6-6 6" />`, label: 'revoked' },
}

/** The time of day in UTC, with the date if it differs from that of `since`. The tooltip shows the full timestamp. */
function time(seconds: number, since: number): Html {
  const timestamp = new Date(seconds * 1000).toISOString()
  const sameDay = timestamp.startsWith(new Date(since * 1000).toISOString().slice(0, 10))
  const day = sameDay ? '' : `${timestamp.slice(5, 10)} `
  return html`<time datetime="${timestamp}" title="${timestamp}"
    >${day}${timestamp.slice(11, 19)}</time
  >`
}

function tokenRow({ id, user, endsWith, issued, expires, state }: TokenRow): Html {
  const { icon, label } = states[state]
  return html`<tr>
    <td>${user.name}</td>
    <td><code>…${endsWith}</code></td>
    <td>${time(issued, issued)}</td>
    <td>${time(expires, issued)}</td>
    <td>
      <span class="state ${state}">
        <svg viewBox="0 0 12 12" aria-hidden="true">${icon}</svg>
        ${label}
      </span>
    </td>
    <td>
      ${
        state === 'revoked'
          ? ''
          : buttonFor('revoke-token', 'Revoke', {
              field: 'id',
              value: String(id),
              of: `the token of ${user.name} that ends with ${endsWith}`,
            })
      }
    </td>
  </tr>`
}

/** Issued tokens, and actions that expire or revoke them (API documentation, "Authentication" 5). */
export function tokensSection(
  { grants, tokenLifetime }: ServiceContext,
  message: FormMessage,
): Html {
  const rows = grants.rows()
  const older = rows.length - maxRows
  return html`<section class="card" id="tokens" aria-labelledby="tokens-title">
    <h2 id="tokens-title">Tokens</h2>
    ${message}
    ${
      rows.length === 0
        ? html`<p class="empty">No tokens yet. A client gets one after a user approves it.</p>`
        : html`<div class="table">
              <table>
                <thead>
                  <tr>
                    <th scope="col">User</th>
                    <th scope="col">Ends with</th>
                    <th scope="col">Issued, UTC</th>
                    <th scope="col">Expires, UTC</th>
                    <th scope="col">State</th>
                    <th scope="col"><span class="unseen">Revoke</span></th>
                  </tr>
                </thead>
                <tbody>
                  ${rows.slice(0, maxRows).map(tokenRow)}
                </tbody>
              </table>
            </div>
            ${older > 0 && html`<p class="hint">And ${older} older tokens.</p>`}
            <p class="hint">
              Revoking a token also revokes all other tokens of the same approval. After a refresh,
              older tokens stay valid.
            </p>
            <div class="buttons">
              ${buttonFor('expire-all', 'Expire all tokens')}
              ${buttonFor('revoke-all', 'Revoke all tokens')}
            </div>`
    }
    ${formFor(
      'set-lifetime',
      'line',
      html`<label class="grow"
          >Lifetime of new tokens, in seconds (documented: 86400)
          <input
            name="seconds"
            type="number"
            min="1"
            max="31536000"
            step="1"
            value="${tokenLifetime}"
            required
        /></label>
        <button>Save</button>`,
    )}
  </section>`
}
