import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { publicRequest } from '#test/support/public-request.ts'
import { jsonLines, runCli, spawnListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

/** Sends a head unchanged, and returns everything received until the connection ends or a complete head was received. */
async function raw(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await until('an answer', () => received.includes('\r\n\r\n') || socket.destroyed)
  socket.destroy()
  return received
}

test('only /hooks/* can be reached from outside: never the interface, whatever the request target', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer()
  const tunnel = ['--tunnel', `localtunnel:front@${server.host}`]
  await using tab = await spawnListening(folder.path, ['serve', '--no-open', ...tunnel])
  const online = await until('the tunnel', () =>
    tab.lines().find(({ event, state }) => event === 'tunnel' && state === 'online'),
  )
  const origin = String(online['url'])
  const ui = z.string().parse(tab.ready.ui)
  const page = await (await fetch(ui)).text()
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
  expect(page).toMatch(/<script/)
  expect(assets.length).toBeGreaterThan(0)
  const uiUrl = new URL(ui)

  const targets = [
    '/',
    '/index.html',
    ...assets.map((file) => new URL(file, ui).pathname),
    `/${uiUrl.search}`,
    '/ws',
    '/hooks',
    '/hooks/../',
    '/hooks/%2e%2e/index.html',
    '/hooks/..%2findex.html',
    '//',
    '*',
    ui,
    `${uiUrl.origin}/`,
    `${uiUrl.origin}/hooks/../index.html`,
    'http://127.0.0.1/',
  ]
  const outcomes: unknown[] = []
  for (const target of targets) {
    for (const headers of [{}, { 'X-Forwarded-Host': uiUrl.host }]) {
      const answer = await publicRequest(origin, { method: 'GET', target, headers })
      if (answer.status !== 404 || answer.body.includes('<script')) {
        outcomes.push({ target, status: answer.status, body: answer.body.toString().slice(0, 200) })
      }
    }
  }
  expect(outcomes).toEqual([])

  // An upgrade is passed to the client as raw bytes: with its own Host, another one, and that of the interface.
  const { host } = new URL(origin)
  for (const target of ['/', '/ws', uiUrl.pathname + uiUrl.search]) {
    const answer = await raw(server.port, [
      `GET ${target} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `Origin: ${uiUrl.origin}`,
    ])
    expect(answer, target).toMatch(/^HTTP\/1\.1 404 /)
  }

  const list = ['deliveries', 'list', '--json', '--limit', '1000']
  // Each was recorded as received through the tunnel; self-probes are not recorded.
  const listed = await until('all to be in the list', async () => {
    const { stdout } = await runCli([...list, '--data', folder.path])
    const rows = jsonLines(stdout)
    return rows.length >= targets.length * 2 + 3 ? rows : null
  })
  expect(listed).toHaveLength(targets.length * 2 + 3)
  expect(new Set(listed.map((row) => row['status']))).toEqual(new Set([404]))
  expect(listed.filter((row) => String(row['path']).includes('_probe'))).toEqual([])
  const through = await runCli([...list, '--data', folder.path, '--filter', 'via:tunnel'])
  expect(jsonLines(through.stdout)).toHaveLength(listed.length)
})
