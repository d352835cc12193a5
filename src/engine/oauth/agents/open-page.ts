import type { RunAgent, RunFailureCode } from '#contract/authorization.ts'
import type { RunPorts } from '../ports.ts'
import type { AuthorizationWindow } from '../../platform/ports.ts'
import type { LiveRun } from '../live-run.ts'
import type { Prepared } from '../prepare.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAnotherUser } from '../../capture/listening/port-owner.ts'
import { pageHeaders, renderPage, type LoopbackPage } from './loopback-page.ts'
import { judgeReturn, type ExpectedReturn } from '../redirect.ts'
import { readReturn } from '../returned.ts'
import type { StateRefusal } from '../authorize-url.ts'

interface OneUseLink {
  /** `http://127.0.0.1:<port>/<43 characters>` */
  readonly address: string
  close(): Promise<void>
}

/**
 * A link on this machine that redirects to `target` once. It goes onto the command line of the program that opens the browser, which other
 * users can read, in place of an address with a state in it. On Linux other users are refused; elsewhere a second visit is told that the
 * link was used. Throws the system's error when no port can be listened on.
 */
export async function serveOneUseLink(target: string): Promise<OneUseLink> {
  const path = `/${randomBytes(32).toString('base64url')}`
  let used = false
  const server = createServer({ keepAlive: false, requestTimeout: 10_000 }, (request, response) => {
    request.resume()
    void visit(request, response)
  })
  server.maxConnections = 32
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an AddressInfo, since it listens on a port and not on a pipe
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  async function visit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, host, path)
    if (refusal) return show(response, refusal)
    if (await isAnotherUser(request.socket)) return show(response, otherUser)
    if (used) return show(response, usedAlready)
    used = true
    response.writeHead(302, { ...pageHeaders, Location: target, 'Content-Length': 0 })
    response.end()
  }

  return {
    address: `http://${host}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const usedAlready: LoopbackPage = {
  status: 410,
  title: 'This link was used already',
  text: 'If you did not open it yourself, cancel the authorization in Tabscope and start again.',
}
const otherUser: LoopbackPage = {
  status: 403,
  title: 'This link is not yours',
  text: 'Only the user who runs Tabscope can use it.',
}

function refusalOf(
  { method, headers, url = '' }: IncomingMessage,
  host: string,
  path: string,
): LoopbackPage | null {
  if (headers.host !== host)
    return { status: 421, title: 'Unknown host', text: 'Check the address.' }
  if (method !== 'GET') {
    return { status: 405, title: 'Method not allowed', text: 'Open this address in a browser.' }
  }
  const given = Buffer.from(url)
  const expected = Buffer.from(path)
  if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) {
    return { status: 404, title: 'Not found', text: 'Check the address.' }
  }
  // A page of somebody else must not use it up in a picture or a frame.
  const wanted = headers['sec-fetch-dest']
  if (wanted !== undefined && wanted !== 'document') {
    return { status: 403, title: 'Not allowed', text: 'Open this address in a browser tab.' }
  }
  return null
}

function show(response: ServerResponse, page: LoopbackPage): void {
  const body = renderPage(page)
  response.writeHead(page.status, { ...pageHeaders, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

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

const goBack = 'You can close this page and go back to Tabscope.'

/**
 * What a visit to the listener does and shows: the first way back is taken, what is refused for good ends the run, the redirect URL without the
 * run's state is noted, and anything else is told that nothing is here.
 */
export function visited(
  address: string,
  expected: ExpectedReturn,
  flow: {
    /** False when something was taken before. */
    take(): boolean
    refuse(code: RunFailureCode, message: string): void
    note(code: StateRefusal, message: string): void
  },
): LoopbackPage {
  const judged = judgeReturn(address, expected)
  if (judged.kind === 'ours') {
    if (!flow.take()) {
      return {
        status: 409,
        title: 'This was already used',
        text: `The run has its answer, and this one changed nothing. ${goBack}`,
      }
    }
    const read = readReturn(address, expected.state)
    return read.ok
      ? { status: 200, title: 'You are back', text: goBack }
      : { status: 400, title: 'This did not work', text: `${read.message} ${goBack}` }
  }
  if (judged.kind === 'unsolicited') {
    flow.note(judged.code, judged.message)
    return {
      status: 400,
      title: 'This address does not belong to the authorization',
      text: `${judged.message} Nothing was changed. Finish the authorization in the page that Tabscope opened, or start again in Tabscope.`,
    }
  }
  if (judged.kind === 'refused' && judged.final) {
    flow.refuse(judged.code, judged.message)
    return { status: 404, title: 'This did not work', text: `${judged.message} ${goBack}` }
  }
  return { status: 404, title: 'Nothing is here', text: 'Only the redirect URL itself is served.' }
}
