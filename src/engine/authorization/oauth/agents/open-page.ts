import { quoteForeign } from '#shared/text/format.ts'
import type { RunAgent, RunFailureCode } from '#contract/authorization.ts'
import type { RunPorts, LiveRun } from '../live-run.ts'
import type { AuthorizationWindow } from '../../../platform/ports.ts'
import type { Prepared } from '../prepare.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAnotherUser } from '../../../receiving/listener/listening/port-owner.ts'
import { pageHeaders, renderPage, type LoopbackPage, type LoopbackVisit } from './loopback.ts'
import {
  judgeVisit,
  type ExpectedReturn,
  readRedirect,
  type RefusedRedirect,
  type ReturnJudgement,
} from '../redirect.ts'

interface OneUseLink {
  /** `http://127.0.0.1:<port>/<43 characters>` */
  readonly address: string
  close(): Promise<void>
}

/**
 * A link on this machine that redirects to `target` once: the program that opens the browser receives it as an argument, which other users can read,
 * instead of an address with a state. On Linux, other users are rejected; elsewhere, a second visit shows that the link was used. Throws the
 * system's error if no port is available.
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
  title: 'This link has already been used',
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
  // Another page must not use the link up with an image or a frame.
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'document') {
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

const nothingToClose: OpenedPage = { close: () => undefined }

/** Records a step. If no browser can be opened, the user can open the address manually. */
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
    run.step({ kind: 'opened', title: 'Waiting for the address to be opened', facts })
    return nothingToClose
  }
  const link = await openInBrowser(ports, authorizeUrl)
  run.step(
    link
      ? { kind: 'opened', title: 'Opened in the default browser', facts }
      : {
          kind: 'opened',
          outcome: 'note',
          title: 'No browser was opened',
          detail: 'Open the address in any browser. The run waits for the redirect.',
          facts,
        },
  )
  return link ?? nothingToClose
}

/** Opens a one-use link, since other users can read the browser's arguments. Returns null if no browser was opened. */
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

const closeHint = 'You can close this page and return to Tabscope.'

/** A visit that does not end the run. `message` becomes the reason if the run ends without a redirect. */
export interface Note {
  readonly code: RunFailureCode
  readonly title: string
  readonly message: string
}

export interface VisitedFlow {
  /** Returns false if a redirect was accepted before. */
  accept(): boolean
  refuse(refused: RefusedRedirect): void
  note(note: Note): void
}

/** A visit without the state of the run. */
export function noteOf({
  code,
  message,
  at,
}: Extract<ReturnJudgement, { kind: 'unsolicited' }>): Note {
  return {
    code,
    title:
      at === null
        ? 'The redirect URL was opened without the right state'
        : 'A request without the right state was received',
    message: at === null ? message : `${message} The address was ${at}.`,
  }
}

/** Accepts the first redirect, ends the run on a final refusal, records a visit without the run's state, and responds with 404 to everything else. */
export function handleVisit(
  visit: LoopbackVisit,
  expected: ExpectedReturn,
  flow: VisitedFlow,
): LoopbackPage {
  const judged = judgeVisit(visit, expected)
  if (visit.loadedAs !== null) {
    if (judged.kind === 'ours' || (judged.kind === 'refused' && judged.final)) {
      flow.note({
        code: 'timed_out',
        title: 'The redirect was loaded by a page, not opened in a tab',
        message: `A page loaded the redirect in the background (Sec-Fetch-Dest: ${quoteForeign(visit.loadedAs)}), as with fetch, a frame or an image. Its code was not used: the page must navigate there.`,
      })
    }
    return { status: 403, title: 'Not allowed', text: 'Open this address in a browser tab.' }
  }
  if (judged.kind === 'ours') {
    if (!flow.accept()) {
      return {
        status: 409,
        title: 'Redirect already received',
        text: `Tabscope has already received a redirect for this run and ignored this one. ${closeHint}`,
      }
    }
    const redirect = readRedirect(visit.address, expected.state)
    return redirect.ok
      ? { status: 200, title: 'Authorization received', text: closeHint }
      : { status: 400, title: 'Authorization failed', text: `${redirect.message} ${closeHint}` }
  }
  if (judged.kind === 'unsolicited') {
    flow.note(noteOf(judged))
    return {
      status: visit.method === 'POST' ? 405 : judged.at === null ? 400 : 404,
      title: 'This address does not belong to this authorization',
      text: `${judged.message} Nothing was changed. Complete the authorization on the page that Tabscope opened, or start again in Tabscope.`,
    }
  }
  if (judged.kind === 'refused' && judged.final) {
    flow.refuse(judged)
    return {
      status: judged.code === 'redirect_post' ? 405 : 404,
      title: 'Authorization failed',
      text: `${judged.message} ${closeHint}`,
    }
  }
  return visit.method === 'POST'
    ? { status: 405, title: 'Method not allowed', text: 'Open this address in a browser.' }
    : { status: 404, title: 'Not found', text: 'Only the redirect URL is available here.' }
}
