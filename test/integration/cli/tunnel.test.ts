import { expect, it } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { jsonLines, runCli, spawnListening, type RunningCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { until } from '#test/support/until.ts'

type Line = Record<string, unknown>

const events = (running: RunningCli): Line[] =>
  running.lines().filter(({ event }) => event === 'tunnel')

const online = (running: RunningCli) =>
  until('the tunnel to be online', () =>
    events(running).findLast(({ state }) => state === 'online'),
  )

it('opens the tunnel of --tunnel, reports it, and is controlled by `tunnel`', async () => {
  await using server = await tunnelServer()
  await using folder = ownedFolder()
  const data = folder.path
  await using listening = await spawnListening(data, [
    'listen',
    '--tunnel',
    `localtunnel:pier9@${server.host}`,
  ])
  const up = await online(listening)
  const url = `http://pier9.localhost:${server.port}`
  expect(up).toMatchObject({
    url,
    endpoint: `${url}/hooks/sandbox`,
    cause: 'probe_ok',
    using: { provider: 'localtunnel' },
    warnings: [],
  })
  const lines = listening.lines()
  expect(lines[0]).toMatchObject({ event: 'ready' })
  expect(lines[1]).toMatchObject({ event: 'tunnel', state: 'opening', url: null, cause: 'asked' })
  for (const { reason } of events(listening)) expect(reason).toMatch(/^[A-Z].*\.$/s)

  const status = await runCli(['tunnel', 'status', '--utc', '--data', data])
  expect(status.code).toBe(0)
  expect(status.stdout.toString()).toContain(`Tunnel online: ${url}/hooks/sandbox`)
  const since = new Date(Number(up['since'])).toISOString().slice(0, 19).replace('T', ' ')
  expect(status.stdout.toString()).toMatch(new RegExp(`^  Since ${since}Z \\(\\d+ s\\)$`, 'm'))
  const all = await runCli(['status', '--json', '--data', data])
  expect(jsonLines(all.stdout)).toMatchObject([
    { tunnel: { state: 'online', provider: 'localtunnel', url }, problems: [] },
  ])
  const check = await runCli(['tunnel', 'check', '--json', '--data', data])
  expect(check.code).toBe(0)
  expect(jsonLines(check.stdout)).toMatchObject([{ event: 'tunnel', state: 'online', url }])

  // Through the public address and back, signed as the endpoint expects.
  const sent = await runCli(['trigger', 'OPEN_TAB', '--through-tunnel', '--json', '--data', data])
  expect({ code: sent.code, stderr: sent.stderr }).toEqual({ code: 0, stderr: '' })
  const received = await until('the delivery', () =>
    listening.lines().find(({ event }) => event === 'delivery'),
  )
  const shown = await runCli(['delivery', 'show', String(received['id']), '--json', '--data', data])
  expect(jsonLines(shown.stdout)).toMatchObject([
    { via: 'tunnel', findings: [], claims: { by: 'tunnel', protocol: 'http' } },
  ])

  const copied = await runCli(['tunnel', 'copied', '--json', '--data', data])
  expect(jsonLines(copied.stdout)).toMatchObject([{ state: 'online', warnings: [] }])

  const closed = await runCli(['tunnel', 'close', '--json', '--data', data])
  expect(jsonLines(closed.stdout)).toMatchObject([{ state: 'off', url: null }])
  await until('the line that it is closed', () => events(listening).at(-1)?.['state'] === 'off')
  await until('the client to be gone', () =>
    server.clients.every(({ connections }) => connections === 0),
  )

  const reopen = ['tunnel', 'open', `localtunnel:pier10@${server.host}`, '--json']
  const opened = await runCli([...reopen, '--data', data])
  expect(opened.code).toBe(0)
  expect(jsonLines(opened.stdout).at(-1)).toMatchObject({
    state: 'online',
    url: `http://pier10.localhost:${server.port}`,
  })

  // The dashboard still has the old URL: reported until it is replaced.
  const changed = await runCli(['tunnel', 'status', '--data', data])
  expect(changed.stdout.toString()).toMatch(
    /Warning: .*still has the old address \S*pier9\.localhost\S* Replace it with \S*pier10\S*\/hooks\/sandbox\./,
  )
  listening.child.kill('SIGTERM')
  const { code } = await listening.ended
  expect(code).toBe(0)
})

it('opens a stored setup with a public server only after confirmation, and says how to confirm', async () => {
  await using folder = ownedFolder()
  const data = folder.path
  await using _ = await openTabscope(data)
  const { code, stdout, stderr } = await runCli(['tunnel', 'open', '--data', data])
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 4, stdout: '' })
  expect(stderr).toContain('a public server run by volunteers.')
  expect(stderr).toContain('Run: tabscope tunnel open --yes')
  const status = await runCli(['tunnel', 'status', '--json', '--data', data])
  expect(jsonLines(status.stdout)).toMatchObject([{ state: 'off' }])
})

it('says when the next try is after a refusal', async () => {
  await using folder = ownedFolder()
  await using server = await tunnelServer()
  server.answerWith('429')
  await using _ = await openTabscope(folder.path)
  const data = ['--data', folder.path]
  const opened = await runCli(['tunnel', 'open', `localtunnel@${server.host}`, '--utc', ...data])
  expect(opened.code).toBe(1)
  const status = await runCli(['tunnel', 'status', '--utc', ...data])
  for (const text of [opened.stderr, status.stdout.toString()])
    expect(text).toMatch(
      /Tunnel offline – .*\(status 429\).*\n {2}Next try at \d{4}-\d\d-\d\d \d\d:\d\d/,
    )
  expect(server.asked).toHaveLength(1)
})
