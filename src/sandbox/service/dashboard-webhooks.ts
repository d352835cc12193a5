import { allTypes } from '../steps.ts'
import { buttonFor, formFor } from './dashboard-form.ts'
import type { Said } from './dashboard-form.ts'
import type { Desk } from './desk.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import type { WebhookView } from './webhooks.ts'

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
        <button>${rate === null ? 'Start' : 'Start anew'}</button>`,
    )}
    <div class="buttons">
      ${buttonFor('send-all', 'Send one of each type')}
      ${rate !== null && html`${buttonFor('stop-evening', 'Stop the evening')}`}
    </div>
    ${
      rate !== null &&
      html`<p class="hint">
        An evening goes on: ${rate} a second to each webhook. Reload to see what came of it.
      </p>`
    }
  </div>`
}

/** Where the service sends what happens, and ways to make it happen. */
export function webhooksSection({ webhooks }: Desk, said: Said, entered: string): Html {
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
