import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { HostFrame } from '#contract/host.ts'
import { systemClock } from '#engine/platform/clock.ts'
import { apiServer } from '#test/support/api-server.ts'
import { on, openConsole, canary } from '#test/support/console.ts'
import { full } from '#test/support/full.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { storedFiles } from '#test/support/stored-files.ts'

/** Values that Tabscope sees only in a request or a response. */
const strange = {
  typed: 'strange-typed-credential-Ee5',
  cookie: 'strange-cookie-value-Ff6',
  setCookie: 'strange-set-cookie-value-Gg7',
  token: 'strange-new-access-token-Hh8',
  refreshToken: 'strange-new-refresh-token-Ii9',
  code: 'strange-authorization-code-Jj0',
  query: 'strange-query-token-Kk1',
}

const formsOf = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  Buffer.from(value).toString('base64').replaceAll('=', ''),
]

test('secrets are not in replies, pushes, the log or files', async () => {
  await using server = await apiServer((request, response) => {
    response.setHeader('Set-Cookie', `session=${strange.setCookie}; Path=/; HttpOnly`)
    response.setHeader('X-Echo', request.headers.map(([, value]) => value).join(' '))
    const answer = JSON.stringify({
      echo: { url: request.url, headers: request.headers, body: request.body.toString() },
      hint: strange.setCookie,
      tokenType: 'Bearer',
      token: strange.token,
      refreshToken: strange.refreshToken,
    })
    response.statusMessage = `OK ${canary.token}`
    if (request.url.startsWith('/moved')) {
      // Only the body reveals that this is a secret.
      response.setHeader('X-Hint', strange.token)
      response.writeHead(307, { Location: `/here?token=${strange.query}` })
    }
    if (request.url.startsWith('/coded')) {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(gzipSync(answer))
      return
    }
    response.end(answer)
  })
  const values = [...Object.values(canary), ...Object.values(strange)]
  const tab = await openConsole({ baseUrl: server.origin })
  const seen: unknown[] = []
  const { engine } = tab.tab
  engine.connect((frame: HostFrame) => seen.push(frame))
  try {
    const more = {
      method: 'POST',
      query: [on('access_token', strange.query)],
      headers: [on('Cookie', `s=${strange.cookie}`), on('X-Copy', canary.token)],
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code: strange.code,
        api_access_secret: canary.accessSecret,
        note: canary.refreshToken,
      }),
    }
    const typed = [...more.headers, on('Authorization', `Bearer ${strange.typed}`)]
    for (const request of [
      { ...more, path: '/things' },
      { ...more, path: '/moved' },
      { ...more, path: '/coded' },
      { ...more, headers: typed, path: `/in/${encodeURIComponent(canary.token)}` },
    ]) {
      const exchange = await tab.send(request)
      expect(exchange.status).toBe(request.path === '/moved' ? 307 : 200)
      seen.push(exchange, await engine.call('api.exchange', { id: exchange.id }))
      const slice = { id: exchange.id, offset: 0, length: 1_000_000 }
      const text = Buffer.from((await engine.call('api.body', slice)).bytes).toString()
      expect(text).toContain('echo')
      seen.push(text)
      const asked = tab.request(request)
      seen.push(
        await engine.call('api.save', { name: 'DeliveryWithBody', request: asked }),
        await engine.call('api.curl', { request: asked }),
      )
    }
    seen.push(await engine.call('api.history', {}), await engine.call('api.saved', {}))
  } finally {
    await tab.tab.close()
  }
  const files = storedFiles(tab.tab.dataDir).map(({ bytes }) => bytes.toString('latin1'))
  const said = JSON.stringify([...seen, tab.tab.log])
  for (const value of values) {
    for (const form of formsOf(value)) {
      expect(said).not.toContain(form)
      for (const file of files) expect(file.includes(form)).toBe(false)
    }
  }
  await tab[Symbol.asyncDispose]()
})

test('masked values are revealed one at a time, by name', async () => {
  await using server = await apiServer((_, response) => {
    response.end(JSON.stringify({ token: strange.token }))
  })
  await using tab = await openConsole({ baseUrl: server.origin })
  const { engine } = tab.tab
  const { id, maskedValues } = await tab.send({
    headers: [on('Authorization', strange.typed), on('X-Copy', canary.token)],
  })
  const values = new Map<string, string>()
  for (const { name } of maskedValues)
    values.set(name, (await engine.call('api.reveal', { id, name })).value)
  expect([...values.values()].toSorted()).toEqual(
    [canary.token, strange.token, strange.typed].toSorted(),
  )
  expect(values.get(`token_${tab.tokenId}`)).toBe(canary.token)
  await expect(engine.call('api.reveal', { id, name: 'access_secret_1' })).rejects.toMatchObject({
    code: 'not_found',
  })
  // No copy of a token is kept after it is deleted.
  await engine.call('tokens.forget', { id: tab.tokenId })
  await expect(
    engine.call('api.reveal', { id, name: `token_${tab.tokenId}` }),
  ).rejects.toMatchObject({ code: expect.stringMatching(/not_found|token_unusable/) })
})

test('a token refreshed since is not revealed in place of the one that was sent', async () => {
  await using server = await apiServer((request, response) => {
    const initiated = Math.floor(Date.now() / 1000)
    response.end(
      request.url === '/api/oauth/token'
        ? JSON.stringify({
            tokenType: 'Bearer',
            token: strange.token,
            initiated,
            expires: initiated + 86_400,
            expiresIn: 86_400,
          })
        : '{}',
    )
  })
  let now = Date.now()
  await using tab = await openConsole({
    baseUrl: server.origin,
    ports: { clock: { ...systemClock, now: () => now } },
  })
  const { engine } = tab.tab
  const { id } = await tab.send({})
  now += 1000
  expect(await engine.call('tokens.refresh', { id: tab.tokenId })).toMatchObject({
    state: 'succeeded',
  })
  await expect(
    engine.call('api.reveal', { id, name: `token_${tab.tokenId}` }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test.runIf(full)('a truncated encoded body is searched as far as it can be decoded', async () => {
  const whole = gzipSync(`{"a":"${canary.token}","b":"${randomBytes(5000).toString('hex')}"}`)
  await using server = await rawServer((socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${whole.byteLength}\r\n\r\n`,
    )
    socket.end(whole.subarray(0, whole.byteLength / 2))
  })
  await using tab = await openConsole({ baseUrl: server.origin })
  const exchange = await tab.send({})
  expect(exchange.error).toContain('in the middle')
  const { bytes } = await tab.tab.engine.call('api.body', {
    id: exchange.id,
    offset: 0,
    length: 100,
  })
  expect(Buffer.from(bytes).toString()).toContain(`{"a":"«token_${tab.tokenId}»","b":"`)
})

test.runIf(full)('a large body is searched completely, across chunk boundaries', async () => {
  const size = 3 * 1024 * 1024
  const piece = 256 * 1024
  const places = [0, piece - 3, size - canary.token.length]
  await using server = await apiServer((request, response) => {
    const body = Buffer.alloc(size, 'x')
    body.write(canary.token, places[Number(request.url.slice(1))] ?? 0)
    response.end(body)
  })
  await using tab = await openConsole({ baseUrl: server.origin })
  for (const place of places.keys()) {
    const { id, maskedValues } = await tab.send({ path: `/${place}`, tokenId: null })
    expect(maskedValues.map(({ name }) => name)).toEqual([`token_${tab.tokenId}`])
    const { bytes } = await tab.tab.engine.call('api.body', { id, offset: 0, length: 4_000_000 })
    expect(Buffer.from(bytes).includes(canary.token)).toBe(false)
    expect(Buffer.from(bytes).includes(`«token_${tab.tokenId}»`)).toBe(true)
  }
})

test('the markers of a saved request are filled in when it is sent', async () => {
  await using server = await apiServer((_, response) => response.end('{}'))
  await using tab = await openConsole({ baseUrl: server.origin })
  const { engine } = tab.tab
  const body = JSON.stringify({ secret: canary.accessSecret, refresh: canary.refreshToken })
  const { request, id } = await engine.call('api.save', {
    name: ' Refresh by hand ',
    request: tab.request({ method: 'POST', body, headers: [on('X-Copy', canary.token)] }),
  })
  expect(request.body).toBe(
    `{"secret":"«access_secret_${tab.integrationId}»","refresh":"«refresh_token_${tab.tokenId}»"}`,
  )
  await engine.call('api.send', request)
  expect(server.arrived.at(-1)?.body.toString()).toBe(body)
  expect(server.arrived.at(-1)?.headers).toContainEqual(['X-Copy', canary.token])

  expect(await engine.call('api.saved', {})).toMatchObject([{ id, name: 'Refresh by hand' }])
  const again = await engine.call('api.save', { id, name: 'Other', request })
  expect(again.id).toBe(id)
  expect(await engine.call('api.saved', {})).toMatchObject([{ id, name: 'Other' }])
  await engine.call('api.removeSaved', { id })
  expect(await engine.call('api.saved', {})).toEqual([])
  await expect(engine.call('api.save', { id, name: 'Gone', request })).rejects.toMatchObject({
    code: 'not_found',
  })
})
