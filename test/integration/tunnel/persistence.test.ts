import { expect, test } from 'vitest'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { startTunnelled } from '#test/support/tunnelled.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

test('a restart requests and gets the previous name, even if none was configured and the server reserves it for another second', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer({ graceMs: 1000 })
  const wish = `localtunnel@${server.host}`
  let first: string
  {
    await using tab = await startTunnelled(folder.path, wish)
    first = await tab.online()
    tab.child.kill('SIGTERM')
    const { code, stderr } = await tab.ended
    expect(code, stderr).toBe(0)
  }
  expect(first).toMatch(/given-/)
  await until('no socket', () => server.sockets === 0)
  await using tab = await startTunnelled(folder.path, wish)
  expect(await tab.online()).toBe(first)
  const again = `/${new URL(first).hostname.split('.')[0]}`
  expect(server.asked.slice(1).filter((asked) => asked !== again)).toEqual([])
  expect(tab.states().at(-1)?.warnings).toEqual([])
})

test('a signal ends it in any tunnel state, with exit code 0 and without an error message', async () => {
  await using down = await tunnelServer({ up: false })
  await using silent = await tunnelServer()
  silent.answerWith('nothing')
  await using frozen = await tunnelServer()
  const ended = await Promise.all(
    [
      { host: down.host, state: 'offline' },
      { host: silent.host, state: 'opening' },
      { host: frozen.host, state: 'online' },
    ].map(async ({ host, state }) => {
      await using folder = ownedFolder()
      await using tab = await startTunnelled(folder.path, `localtunnel:ending@${host}`)
      await tab.tells(state, (line) => line.state === state, { ms: 20_000 })
      if (host === frozen.host) frozen.freeze()
      tab.child.kill('SIGTERM')
      const { code, stderr } = await tab.ended
      return { state, code, stderr, last: tab.states().at(-1)?.state }
    }),
  )
  expect(ended).toEqual(
    ['offline', 'opening', 'online'].map((state) => ({ state, code: 0, stderr: '', last: 'off' })),
  )
})
