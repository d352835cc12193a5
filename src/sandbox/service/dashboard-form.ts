import { actionPath, actions } from './dashboard-actions.ts'
import type { ActionName } from './dashboard-actions.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

/** What a section says of the form that was sent last; false: nothing. */
export type FormMessage = Html | false

/** The form of an action. Its address ends with the section, so that the page that follows is shown there. */
export function formFor(name: ActionName, className: string, fields: Html): Html {
  return html`<form
    class="${className}"
    method="post"
    action="${actionPath(name)}#${actions[name].section}"
  >
    ${fields}
  </form>`
}

/** A form that is one button; `value` goes along as `field`. */
export function buttonFor(
  name: ActionName,
  label: string,
  options: { readonly field?: string; readonly value?: string; readonly of?: string } = {},
): Html {
  const { field, value = '', of } = options
  return formFor(
    name,
    'inline',
    html`${field !== undefined && html`<input type="hidden" name="${field}" value="${value}" />`}
      <button ${of !== undefined && html`aria-label="${`${label} ${of}`}"`}>${label}</button>`,
  )
}
