import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TunnelCause } from '#contract/tunnel.ts'
import type { ProviderDependencies, TunnelProvider } from '#engine/receiving/tunnel/provider.ts'
import cloudflared from '#engine/receiving/tunnel/providers/cloudflared.ts'
import ngrok from '#engine/receiving/tunnel/providers/ngrok.ts'
import { full } from '#test/support/full.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { openingFailure, openTunnel } from '#test/support/tunnel-opened.ts'
import type { Behaviour } from '#test/support/tunnel-programs/behave.ts'
import {
  fakePrograms,
  fakesRunHere,
  type FakePrograms,
} from '#test/support/tunnel-programs/programs.ts'
import { until } from '#test/support/until.ts'

const both = full ? [cloudflared, ngrok] : [cloudflared]
const unheard = { trouble: () => undefined, connections: () => undefined }

/** Nothing listens there: these tests send no requests through the tunnel. */
const port = 9

function opening(provider: TunnelProvider, world: ProviderDependencies) {
  const { signal } = new AbortController()
  return provider.open({ port, options: {}, previousName: null }, world, unheard, signal)
}

const holding = path.resolve('test/support/tunnel-programs/hold.ts')

/** Each test starts programs, on a machine that may be busy. */
const slow = { timeout: 30_000 }

function signalAll(programs: FakePrograms, signal: NodeJS.Signals): void {
  for (const pid of programs.running()) process.kill(pid, signal)
}

describe.skipIf(!fakesRunHere)('A tunnel by a fake program', slow, () => {
  it.each(both)('$id: is reported as missing, with where to get it', async (provider) => {
    const world = { tunnelThread: new URL('file:///none'), env: { PATH: tempFolder() } }
    const { missing, program } = await provider.detect(world)
    expect(program).toBeNull()
    expect(missing).toMatch(/^The program ".*" was not found on the path\. Install it from https:/)
    const failure = await openingFailure(opening(provider, world))
    expect(failure).toMatchObject({ code: 'program_missing', message: missing, retry: false })
  })

  it('is a permanent failure if the file cannot be started', async () => {
    const folder = tempFolder()
    writeFileSync(path.join(folder, 'ngrok'), '#!/none/such\n')
    chmodSync(path.join(folder, 'ngrok'), 0o755)
    const world = { tunnelThread: new URL('file:///none'), env: { PATH: folder } }
    const failure = await openingFailure(opening(ngrok, world))
    expect(failure).toMatchObject({ code: 'program_failed', retry: false })
    expect(failure.message).toMatch(/^ngrok cannot be started \(/)
    expect(await ngrok.detect(world)).toEqual({
      missing: null,
      program: path.join(folder, 'ngrok'),
    })
  })

  it.each(both)('$id: works after 10 MB of other output', async (provider) => {
    await using programs = await fakePrograms(['cloudflared', 'ngrok'])
    const circumstances = { world: programs.world('garbage'), options: {} }
    await using opened = await openTunnel(provider, circumstances, port)
    expect(opened.tunnel.url).toMatch(/^http:\/\/[0-9a-f]+\.localhost:\d+$/)
  })

  it.each(both)('$id: is not opened at an address that is invalid', async (provider) => {
    await using programs = await fakePrograms(['cloudflared', 'ngrok'])
    const failure = await openingFailure(opening(provider, programs.world('hostile')))
    expect(failure.code).toBe('server_answer')
    expect(failure.message).toBe(
      `${provider.id} reported an invalid URL: "https://user:pass@evil.test/".`,
    )
    expect(programs.running()).toEqual([])
  })

  it('is killed if it ignores the signal to end', async () => {
    await using programs = await fakePrograms(['cloudflared'])
    const circumstances = { world: programs.world('stubborn'), options: {} }
    const { close } = await openTunnel(cloudflared, circumstances, port)
    expect(programs.running()).toHaveLength(1)
    expect(await close()).toBeNull()
    expect(programs.running()).toEqual([])
  })

  it('is ended with its child processes', async () => {
    await using programs = await fakePrograms(['ngrok'])
    const circumstances = { world: programs.world('parent'), options: {} }
    const { close } = await openTunnel(ngrok, circumstances, port)
    expect(programs.running()).toHaveLength(2)
    await close()
    await until('both to be gone', () => programs.running().length === 0)
  })

  it.each(both)(
    '$id: reports when its connection is lost, and when it is back',
    async (provider) => {
      await using programs = await fakePrograms(['cloudflared', 'ngrok'])
      const circumstances = { world: programs.world(), options: {} }
      await using opened = await openTunnel(provider, circumstances, port)
      expect(opened.connections).toEqual([[1, 1]])
      signalAll(programs, 'SIGHUP')
      await until('the loss', () => opened.troubles.length > 0)
      expect(opened.connections.at(-1)).toEqual([0, 1])
      expect(opened.troubles).toEqual([
        expect.stringMatching(
          new RegExp(`^${provider.id} lost its connection to its server\\. Last output: ".*"\\.$`),
        ),
      ])
      signalAll(programs, 'SIGHUP')
      await until('the return', () => opened.connections.length === 3)
      expect(opened.connections.at(-1)).toEqual([1, 1])
      expect(opened.troubles).toHaveLength(1)
    },
  )

  it('is ended with a reason when it reconnects with another address', async () => {
    await using programs = await fakePrograms(['ngrok'])
    const world = programs.world('well', { STAND_IN_MOVES: '1' })
    const { tunnel, troubles } = await openTunnel(ngrok, { world, options: {} }, port)
    signalAll(programs, 'SIGHUP')
    await until('the loss', () => troubles.length > 0)
    signalAll(programs, 'SIGHUP')
    const why = await tunnel.closed
    expect(why).toMatchObject({ code: 'ended', retry: true })
    expect(why?.message).toBe('ngrok reconnected with a different URL.')
    expect(programs.running()).toEqual([])
  })

  it('ngrok: requests the domain, and reports if it got another', async () => {
    await using programs = await fakePrograms(['ngrok'])
    const options = { domain: 'pier9.localhost' }
    const as = await openTunnel(ngrok, { world: programs.world(), options }, port)
    expect(as.tunnel.url).toMatch(/^http:\/\/pier9\.localhost:\d+$/)
    expect(as.tunnel.requestedName).toBeNull()
    await as.close()
    const world = programs.world('well', { STAND_IN_OTHER: '1' })
    await using other = await openTunnel(ngrok, { world, options }, port)
    expect(other.tunnel.requestedName).toBe('pier9.localhost')
  })

  it.each<[TunnelProvider, Behaviour, TunnelCause, retry: boolean, words: string]>([
    [cloudflared, 'limited', 'server_refused', true, 'too many were requested'],
    [cloudflared, 'odd', 'server_answer', true, 'invalid UUID length: 0'],
    [cloudflared, 'misconfigured', 'program_failed', false, 'check its environment variables'],
    [cloudflared, 'refused', 'program_failed', true, 'ended with code 1. Last output: "Something'],
    [ngrok, 'limited', 'server_refused', true, 'ERR_NGROK_334'],
    [ngrok, 'odd', 'server_refused', true, 'ERR_NGROK_999'],
    [ngrok, 'misconfigured', 'program_failed', false, 'ngrok config check'],
    [ngrok, 'refused', 'server_refused', false, 'ngrok config add-authtoken'],
  ])('$0.id, $1: fails with $2, retry $3: $4', async (provider, behaviour, code, retry, words) => {
    await using programs = await fakePrograms(['cloudflared', 'ngrok'])
    const failure = await openingFailure(opening(provider, programs.world(behaviour)))
    expect(failure).toMatchObject({ code, retry })
    expect(failure.message).toContain(words)
    expect(failure.message).not.toMatch(/1yaP1QLD0c|eyJhIjoi|\p{C}/u)
    expect(programs.running()).toEqual([])
  })

  it('is ended when Tabscope exits without closing it', async () => {
    await using programs = await fakePrograms(['cloudflared'])
    const { env } = programs.world()
    const ended = spawn(process.execPath, [holding, 'exit'], { env: { ...env }, stdio: 'pipe' })
    const [code] = await once(ended, 'exit')
    expect(code).toBe(0)
    await until('it to be gone', () => programs.running().length === 0)
  })

  it('is ended with its child processes when Tabscope is killed, and not while another Tabscope runs it', async () => {
    await using programs = await fakePrograms(['cloudflared'])
    const circumstances = { world: programs.world(), options: {} }
    await using living = await openTunnel(cloudflared, circumstances, port)
    const others = programs.running()
    const { env } = programs.world('parent')
    const killed = spawn(process.execPath, [holding], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(killed.stdout, 'data')
    expect(programs.running()).toHaveLength(3)

    killed.kill('SIGKILL')
    await until('both to be gone', () => programs.running().length === 1)
    expect(programs.running()).toEqual(others)
    expect(living.troubles).toEqual([])
  })
})
