import { expect } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { openService, type Service } from '#sandbox/service/service.ts'
import { jsonLines, runCli, startCli, type RunningCli } from './run-cli.ts'
import { ownedFolder } from './temp-folder.ts'
import { until } from './until.ts'

export const accessSecret = 'canary-access-secret-7f3a'
/** No server listens at this URL, so the redirect is pasted. */
export const pastedUrl = 'https://client.invalid/callback'

export interface CliService extends AsyncDisposable {
  readonly folder: string
  readonly service: Service
  /** A redirect URL that the command line serves while a flow is waiting. */
  readonly servedUrl: string
  /** Starts `authorize --json` and waits for its URL. `start` can be `spawnCli`. */
  authorize(args?: readonly string[], start?: typeof startCli): Promise<Waiting>
  /** Completes a flow. Returns the token's id. */
  connect(args?: readonly string[], user?: string): Promise<number>
}

export interface Waiting extends RunningCli {
  /** The first line of output. */
  readonly line: Record<string, unknown>
  readonly url: string
}

export async function openCliService(name = 'Mine'): Promise<CliService> {
  const folder = ownedFolder()
  const servedUrl = `http://127.0.0.1:${await freePort()}/callback`
  const service = await openService({
    accessId: 'access-id-1',
    accessSecret,
    redirectUrls: [servedUrl, pastedUrl],
  })
  const set = `integration set --name=${name} --base-url=${service.state().baseUrl}`.split(' ')
  const access = ['--access-id=access-id-1', '--access-secret-env=CLI_SECRET']
  const redirects = [servedUrl, pastedUrl].map((url) => `--redirect-url=${url}`)
  const { code, stderr } = await runCli(
    [...set, ...access, ...redirects, `--data=${folder.path}`],
    { env: { CLI_SECRET: accessSecret } },
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

  const authorize: CliService['authorize'] = async (args = [], start = startCli) => {
    const all = ['authorize', '--no-open', '--json', '--data', folder.path, ...args]
    const running = start(all)
    let ended = false
    void running.ended.then(() => (ended = true))
    const line = await until('the address', () => {
      const [first] = running.lines()
      if (!first && ended) throw new Error(`authorize ended: ${running.stderr()}`)
      return first
    })
    return { ...running, line, url: String(line['url']) }
  }
  return {
    folder: folder.path,
    service,
    servedUrl,
    authorize,
    connect: async (args = [], user = 'mara') => {
      await using waiting = await authorize(args)
      await followRedirect(waiting.url, user)
      const { stdout } = await waiting.ended
      const token = jsonLines(stdout).find(({ event }) => event === 'token')
      if (!token) throw new Error(`no token received: ${stdout.toString()}`)
      return Number(token['id'])
    },
    [Symbol.asyncDispose]: async () => {
      await service.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** Submits the authorization page. Returns the redirect URL. */
export async function decide(
  url: string,
  user = 'mara',
  decision: 'approve' | 'deny' = 'approve',
): Promise<string> {
  const page = await (await fetch(url)).text()
  const ticket = /name="ticket" value="([^"]+)"/.exec(page)?.[1]
  if (ticket === undefined) throw new Error(`there is no form: ${page}`)
  const { origin } = new URL(url)
  const answer = await fetch(`${origin}/manager/oauth`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin },
    body: new URLSearchParams({ ticket, user, decision }),
  })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`the page leads nowhere: ${answer.status}`)
  return location
}

export async function followRedirect(url: string, user = 'mara'): Promise<Response> {
  return await fetch(await decide(url, user))
}
