import { SandboxError } from '../errors.ts'
import { actions } from './dashboard-actions.ts'
import type { Action } from './dashboard-actions.ts'
import { dashboardPage } from './dashboard-page.ts'
import { wordPage } from './authorize-page.ts'
import type { Desk } from './desk.ts'
import { formOf, redirect, sameOrigin } from './http.ts'
import type { Handler } from './http.ts'

const entries: readonly (readonly [string, Action])[] = Object.entries(actions)

/** The dashboard's page. `done` names the action that led here. */
export function dashboardHandler(desk: Desk): Handler {
  return ({ query }) => {
    const done = entries.find(([name]) => name === query.get('done'))?.[1]
    return dashboardPage(
      200,
      desk,
      done && { section: done.section, sentence: done.did, ok: true, entered: '' },
    )
  }
}

/** What the forms of the dashboard do, by path. */
export function dashboardActions(desk: Desk): [path: string, handler: Handler][] {
  return entries.map(([name, action]) => [
    `/dashboard/${name}`,
    async (request) => {
      if (!sameOrigin(request, desk.baseUrl, true))
        return wordPage(403, 'Not from here', 'Only the dashboard’s own forms can change things.')
      const form = formOf(request)
      try {
        await action.run(desk, form, request.signal)
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error
        const { message: sentence } = error
        const entered = form.get('url') ?? ''
        return dashboardPage(400, desk, { section: action.section, sentence, ok: false, entered })
      }
      // A reload must not do it again.
      return redirect(303, `/?done=${name}`)
    },
  ])
}
