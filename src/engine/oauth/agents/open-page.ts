import type { RunAgent } from '#contract/authorization.ts'
import type { RunPorts } from '../ports.ts'
import type { AuthorizationWindow } from '../../ports.ts'
import type { LiveRun } from '../live-run.ts'
import type { Prepared } from '../prepare.ts'
import { serveOneUseLink, type OneUseLink } from './one-use-link.ts'

export interface OpenedPage {
  close(): void | Promise<void>
}

const notOurs: OpenedPage = { close: () => undefined }

/** Opens the authorization page by the agent, and tells so as a step. A browser that cannot be opened is no end: the address is there to open by hand. */
export async function openPage(
  { ports }: Pick<RunPorts, 'ports'>,
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
  const link = await openInBrowser(ports, authorizeUrl)
  run.step(
    link
      ? { kind: 'opened', title: 'Passed to the default browser', facts }
      : {
          kind: 'opened',
          outcome: 'note',
          title: 'No browser was opened',
          detail: 'Open the address in any browser. The run waits.',
          facts,
        },
  )
  return link ?? notOurs
}

/** By a link of one use, since other users can read what the browser is started with. Null: no browser was opened. */
async function openInBrowser(
  ports: RunPorts['ports'],
  authorizeUrl: string,
): Promise<OneUseLink | null> {
  try {
    const link = await serveOneUseLink(authorizeUrl)
    const opened = await ports.openExternal(link.address).catch(() => false)
    if (opened) return link
    await link.close()
  } catch (error) {
    ports.log.error('the link for the browser could not be served', error)
  }
  return null
}
