import { buttonFor, formFor, type FormMessage, html, type Html } from './html.ts'
import type { Desk } from './desk.ts'
import type { TokenRow, TokenState } from './grants.ts'

/** Tokens shown; the older ones are counted. */
const shown = 12

/** State by sign and word, not by colour alone. */
const words: Readonly<Record<TokenState, { readonly sign: Html; readonly word: string }>> = {
  alive: { sign: html`<circle cx="6" cy="6" r="4" fill="currentColor" />`, word: 'valid' },
  expired: { sign: html`<circle cx="6" cy="6" r="4" /><path d="M6 4v2l1.5 1" />`, word: 'expired' },
  revoked: { sign: html`<path d="m3 3 6 6m0-6-6 6" />`, word: 'revoked' },
}

/** The time of day in UTC, and the day before it where it is not that of `since`; the whole of it on hover. */
function time(seconds: number, since: number): Html {
  const whole = new Date(seconds * 1000).toISOString()
  const sameDay = whole.startsWith(new Date(since * 1000).toISOString().slice(0, 10))
  const day = sameDay ? '' : `${whole.slice(5, 10)} `
  return html`<time datetime="${whole}" title="${whole}">${day}${whole.slice(11, 19)}</time>`
}

function row({ id, user, endsWith, issued, expires, state }: TokenRow): Html {
  const { sign, word } = words[state]
  return html`<tr>
    <td>${user.name}</td>
    <td><code>…${endsWith}</code></td>
    <td>${time(issued, issued)}</td>
    <td>${time(expires, issued)}</td>
    <td>
      <span class="state ${state}">
        <svg viewBox="0 0 12 12" aria-hidden="true">${sign}</svg>
        ${word}
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

/** Which tokens were issued, and what can happen to them at any time (SPEC, "Authentication" 5). */
export function tokensSection({ grants, tokenLifetime }: Desk, said: FormMessage): Html {
  const rows = grants.rows()
  const older = rows.length - shown
  return html`<section class="card" id="tokens" aria-labelledby="tokens-title">
    <h2 id="tokens-title">Tokens</h2>
    ${said}
    ${
      rows.length === 0
        ? html`<p class="empty">None yet. A client gets one once a user has approved it.</p>`
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
                  ${rows.slice(0, shown).map(row)}
                </tbody>
              </table>
            </div>
            ${older > 0 && html`<p class="hint">And ${older} older.</p>`}
            <p class="hint">
              To revoke one takes back all that came from its approval. After a refresh the older
              tokens stay valid.
            </p>
            <div class="buttons">
              ${buttonFor('expire-all', 'Expire all now')} ${buttonFor('revoke-all', 'Revoke all')}
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
        <button>Set</button>`,
    )}
  </section>`
}
