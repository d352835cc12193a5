import type { RunAgent } from '#contract/authorization.ts'
import type { Context } from '../../context.ts'
import type { AuthorizationWindow } from '../../ports.ts'
import type { LiveRun } from '../live-run.ts'
import type { Prepared } from '../prepare.ts'

export interface OpenedPage {
  close(): void
}

const notOurs: OpenedPage = { close: () => undefined }

/** Opens the authorization page by the agent, and tells so as a step. A browser that cannot be opened is no end: the address is there to open by hand. */
export async function openPage(
  { ports }: Context,
  run: LiveRun,
  agent: RunAgent,
  { authorizeUrl, redirectUrl, state }: Prepared,
  on: Parameters<AuthorizationWindow['open']>[1],
): Promise<OpenedPage> {
  const facts = [...new URL(authorizeUrl).searchParams].map(([name, value]) => ({ name, value }))
  if (agent === 'window' && ports.authorizationWindow) {
    run.step({ kind: 'opened', title: 'Opened in a window', facts })
    return ports.authorizationWindow.open({ url: authorizeUrl, redirectUrl, state }, on)
  }
  if (agent === 'none') {
    run.step({ kind: 'opened', title: 'The address waits to be opened', facts })
    return notOurs
  }
  const opened = await ports.openExternal(authorizeUrl).catch(() => false)
  run.step(
    opened
      ? { kind: 'opened', title: 'Opened in the browser', facts }
      : {
          kind: 'opened',
          outcome: 'note',
          title: 'No browser could be opened',
          detail: 'Open the address by hand, in any browser. The run waits.',
          facts,
        },
  )
  return notOurs
}
