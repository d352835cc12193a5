import { request } from 'node:http'
import { once } from 'node:events'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { serveOneUseLink } from '#engine/authorization/oauth/agents/open-page.ts'

const target = 'https://service.test/manager/oauth?state=canary'

async function open() {
  const link = await serveOneUseLink(target)
  return { ...link, [Symbol.asyncDispose]: () => link.close() }
}

/** One raw request, with any Host, which fetch would not send. */
async function raw(
  address: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
): Promise<{ status: number | undefined; location: string | undefined }> {
  const outgoing = request(address, { method, headers })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  response.resume()
  return { status: response.statusCode, location: response.headers.location }
}

it('redirects once, and then reports that it was used', async () => {
  await using link = await open()
  expect(link.address).not.toContain('canary')
  expect(await raw(link.address)).toEqual({ status: 302, location: target })
  const again = await fetch(link.address, { redirect: 'manual' })
  expect(again.status).toBe(410)
  const text = await again.text()
  expect(text).toContain('This link has already been used')
  expect(text).not.toContain('canary')
})

it('is not used up by a client that does not open it as a page', async () => {
  await using link = await open()
  const { origin, host } = new URL(link.address)
  for (const [address, changes, status] of [
    [link.address, { Host: 'evil.test' }, 421],
    [link.address, { Host: host.replace('127.0.0.1', 'localhost') }, 421],
    [link.address, { method: 'POST' }, 405],
    [link.address, { method: 'HEAD' }, 405],
    [link.address, { 'Sec-Fetch-Dest': 'image' }, 403],
    [link.address, { 'Sec-Fetch-Dest': 'iframe' }, 403],
    [`${origin}/`, {}, 404],
    [`${link.address}x`, {}, 404],
    [`${link.address}?x`, {}, 404],
    [`${origin}/${'A'.repeat(43)}`, {}, 404],
  ] as const) {
    expect(await raw(address, changes)).toEqual({ status, location: undefined })
  }
  expect(await raw(link.address)).toEqual({ status: 302, location: target })
})

// Only root may start a process of another user.
it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'is refused to another user of this machine, and not used up by them',
  async () => {
    await using link = await open()
    const attack = `fetch('${link.address}', { redirect: 'manual' })
      .then((response) => console.log(response.status, response.headers.get('location')))`
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', attack], {
      uid: 65_534,
      cwd: '/',
      timeout: 20_000,
    })
    expect(stdout).toBe('403 null\n')
    expect(await raw(link.address)).toEqual({ status: 302, location: target })
  },
)
