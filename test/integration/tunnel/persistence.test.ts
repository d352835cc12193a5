import { expect, test } from 'vitest'
import { runCli } from '#test/support/run-cli.ts'
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

test('a client that connects later, from elsewhere, still gets the state', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer()
  await using tab = await startTunnelled(folder.path, 'none')
  const wish = `localtunnel:later@${server.host}`
  const opened = await runCli(['tunnel', 'open', wish, '--data', folder.path])
  expect(opened.code, opened.stderr).toBe(0)
  expect(await tab.online()).toBe(`http://later.localhost:${server.port}`)
})

test('killed while online: the next start gets the name once the server has released it', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer({ graceMs: 50 })
  const wish = `localtunnel:pier9@${server.host}`
  {
    await using tab = await startTunnelled(folder.path, wish)
    await tab.online()
    tab.child.kill('SIGKILL')
    await tab.ended
  }
  await until('the server to notice', () => server.clients.length === 0)
  await using tab = await startTunnelled(folder.path, wish)
  expect(await tab.online()).toBe(`http://pier9.localhost:${server.port}`)
  expect(tab.states().at(-1)?.warnings).toEqual([])
})

test('killed while online, and the server still reserves the name: another is used, with a warning', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer({ graceMs: 60_000 })
  const wish = `localtunnel@${server.host}`
  let first: string
  {
    await using tab = await startTunnelled(folder.path, wish)
    first = await tab.online()
    tab.child.kill('SIGKILL')
    await tab.ended
  }
  await using tab = await startTunnelled(folder.path, wish)
  const second = await tab.online()
  expect(second).not.toBe(first)
  expect(tab.states().at(-1)?.warnings).toMatchObject([{ kind: 'assigned', by: 'last_time' }])
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
