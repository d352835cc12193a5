import { formFor } from './dashboard-form.ts'
import type { Said } from './dashboard-form.ts'
import type { Desk } from './desk.ts'
import { faults, faultWords } from './faults.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

/** What the sandbox is to do wrong. */
export function faultsSection(desk: Desk, said: Said): Html {
  const group = (at: 'redirect' | 'token', title: string) =>
    html`<fieldset class="faults">
      <legend>${title}</legend>
      ${faults
        .filter((fault) => faultWords[fault].at === at)
        .map(
          (fault) =>
            html`<label>
              <input
                type="checkbox"
                name="fault"
                value="${fault}"
                ${desk.faults.has(fault) && html`checked`}
              />
              <code>${fault}</code> <span>${faultWords[fault].does}</span>
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
