import { expect, it } from 'vitest'
import { publicRequest } from '#test/support/public-request.ts'
import { freePort } from '#test/support/free-port.ts'
import { runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { startEdge } from '#test/support/tunnel-programs/edge.ts'
import { fakePrograms, fakesRunHere } from '#test/support/tunnel-programs/programs.ts'
import { startTunnelled } from '#test/support/tunnelled.ts'
import { until } from '#test/support/until.ts'

it.skipIf(!fakesRunHere)(
  'runs a fake cloudflared, restarts it when it dies, and ends it at shutdown',
  async () => {
    await using programs = await fakePrograms(['cloudflared'])
    await using folder = ownedFolder()
    await using running = await startTunnelled(folder.path, 'cloudflared', ['listen'], {
      env: programs.variables(),
    })
    const first = await running.online()
    const { status } = await publicRequest(`${first}/hooks/sandbox`, { body: '{"a":1}' })
    expect(status).toBe(200)
    const delivery = await until('the delivery', () => running.deliveries()[0])
    expect(delivery).toMatchObject({ path: '/hooks/sandbox', bytes: 7 })

    const from = running.states().length
    for (const pid of programs.running()) process.kill(pid, 'SIGUSR2')
    const ended = await running.tells('the end', ({ state }) => state !== 'online', { from })
    expect(ended.cause).toBe('ended')
    expect(ended.reason).toContain('cloudflared ended with code 1. Last output: "Initiating')
    const second = await running.online(from)
    expect(second).not.toBe(first)
    expect(programs.running()).toHaveLength(1)

    running.child.kill('SIGINT')
    await running.ended
    expect(programs.running()).toEqual([])
  },
)

it.skipIf(!fakesRunHere)(
  'reports that a fake ngrok needs its token, and does not retry',
  async () => {
    await using programs = await fakePrograms(['ngrok'])
    await using folder = ownedFolder()
    await using running = await startTunnelled(folder.path, 'ngrok:pier9.ngrok.app', ['listen'], {
      env: programs.variables('refused'),
    })
    const line = await running.tells('the refusal', ({ state }) => state === 'offline')
    expect(line).toMatchObject({ cause: 'server_refused', nextTryAt: null, url: null })
    expect(line.reason).toContain('ngrok config add-authtoken')
    expect(JSON.stringify(running.lines())).not.toContain('1yaP1QLD0c')
  },
)

it('checks an address that the user connected to the listener, and reports when it is unreachable', async () => {
  const port = await freePort()
  const proxy = await startEdge(port)
  await using folder = ownedFolder()
  await using running = await startTunnelled(folder.path, `manual:${proxy.url}`, [
    'listen',
    '--port',
    String(port),
  ])
  expect(await running.online()).toBe(proxy.url)
  const from = running.states().length
  await proxy.close()
  await runCli(['tunnel', 'check', '--data', folder.path])
  const line = await running.tells('the loss', ({ state }) => state !== 'online', { from })
  expect(line.cause).toBe('probe_failed')
  expect(line.reason).toMatch(/^[A-Z].*\.$/s)
})
