import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeInvitation, encodeInvitation } from '#engine/receiving/relay/files.ts'
import { openTabscope } from '../../support/engine-on-folder.ts'
import type { TestEngine } from '../../support/engine.ts'
import { freePort } from '../../support/free-port.ts'
import { full } from '#test/support/full.ts'
import { openAdministered, type AdministeredRelay } from '../../support/nats/administered.ts'
import { invitationOf, publish, recordOf } from '../../support/nats/records.ts'
import { natsServer } from '../../support/nats/server.ts'
import { jsonLines, runCli, type CliResult } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

/** The command line on a data folder. */
class Desktop {
  readonly folder = tempFolder()

  run(args: readonly string[], stdin = ''): Promise<CliResult> {
    return runCli([...args, '--data', this.folder], { stdin })
  }

  async relays(): Promise<Record<string, unknown>[]> {
    return jsonLines((await this.run(['relay', 'status', '--json'])).stdout)
  }

  /** Of the first relay. */
  until(what: string, is: (relay: Record<string, unknown>) => boolean) {
    return until(what, async () => {
      const [relay = {}] = await this.relays()
      return is(relay) ? relay : null
    })
  }

  /** A Tabscope that commands join. */
  start(): Promise<TestEngine> {
    return openTabscope(this.folder, { background: true })
  }
}

/** With streams. */
async function openTeam(): Promise<AdministeredRelay> {
  const relay = await openAdministered('127.0.0.1', '--name', 'Team')
  expect((await relay.relay('check')).code).toBe(0)
  return relay
}

/** As a relay prints it, once its server has the key. */
async function invitationFor(relay: AdministeredRelay, ...words: string[]): Promise<string> {
  return encodeInvitation(await relay.invite(...words))
}

async function deliver(relay: AdministeredRelay, count: number): Promise<void> {
  const connection = await relay.asReceiver('edge-1')
  for (let n = 0; n < count; n += 1)
    await publish(connection, 'bar', [recordOf('bar', `{"n":${n}}`)], { receiver: 'edge-1' })
  await connection.close()
}

const isState = (state: string) => (relay: Record<string, unknown>) => relay['state'] === state

describe.skipIf(natsServer === null)('a relay, from the command line', () => {
  test.runIf(full)(
    'is not added with a wrong, unreachable, revoked or replaced invitation, which is repeated nowhere',
    async () => {
      await using relay = await openTeam()
      const old = await invitationFor(relay, 'ann')
      const revoked = await invitationFor(relay, 'ben')
      const current = await invitationFor(relay, 'ann', '--force')
      expect((await relay.relay('revoke', 'ben')).code).toBe(0)
      const desktop = new Desktop()
      await using tab = await desktop.start()
      const seed = 'SUAAJKGZOGIG7PCY5NZ7K4Q5QOFCYLFYMLFOCLWUEJ5KVNVTPORU3YFD7U'
      const unreachable = invitationOf(`nats://127.0.0.1:${await freePort()}`, { seed })
      const cases: [invitation: string, code: number, sentence: string][] = [
        ['my password', 2, 'must start with "tabscope-relay:"'],
        ['', 2, 'must start with "tabscope-relay:"'],
        [current.slice(0, -20), 2, 'The invitation is incomplete'],
        [unreachable, 1, 'is not reachable (ECONNREFUSED)'],
        [old, 1, 'refused the key of ann: it is unknown, or was revoked or replaced'],
        [revoked, 1, 'refused the key of ben: it is unknown, or was revoked or replaced'],
      ]
      const seen: string[] = []
      for (const [invitation, code, sentence] of cases) {
        const { stdout, ...failed } = await desktop.run(['relay', 'add', '--json'], invitation)
        expect(failed).toEqual({ code, stderr: expect.stringContaining(sentence) })
        const error = code === 2 ? 'bad_input' : 'relay_failed'
        expect(jsonLines(stdout)).toMatchObject([{ event: 'failed', code: error }])
        seen.push(stdout.toString(), failed.stderr)
      }
      expect(await desktop.relays()).toEqual([])
      const added = await desktop.run(['relay', 'add', '--no-endpoints', '--json', current])
      expect(jsonLines(added.stdout)).toMatchObject([{ event: 'relay', name: 'Team', user: 'ann' }])
      const { endpoints } = await tab.engine.call('app.snapshot', {})
      expect(endpoints.map(({ slug }) => slug)).toEqual(['sandbox'])
      expect((await relay.relay('revoke', 'ann')).code).toBe(0)
      await desktop.until('the refusal', isState('refused'))
      for (const args of [['relay', 'status'], ['status']]) {
        const { stdout } = await desktop.run(args)
        expect(stdout.toString()).toContain('refused the key of ann')
        seen.push(stdout.toString())
      }
      seen.push(
        added.stdout.toString(),
        readFileSync(path.join(desktop.folder, 'tabscope.log'), 'utf8'),
      )
      const keys = [seed, ...[old, revoked, current].map(seedOf)]
      for (const key of keys) expect(seen.join('\n')).not.toContain(key)
      expect(seen.join('\n')).not.toMatch(/tabscope-relay:\w/)
    },
  )

  test.runIf(full)('is changed by name, also without a running Tabscope', async () => {
    await using relay = await openTeam()
    const desktop = new Desktop()
    const file = path.join(desktop.folder, 'invitation.txt')
    expect(await desktop.run(['relay', 'add', '--file', file])).toMatchObject({ code: 2 })
    expect(await desktop.run(['relay', 'add', '--file', file, 'x'])).toMatchObject({ code: 2 })
    const added = await desktop.run(['relay', 'add', await invitationFor(relay, 'ann')])
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('while Tabscope runs') })
    expect((await desktop.run(['relay', 'pause', 'team'])).stdout.toString()).toContain('paused')
    const on = await desktop.run(['relay', 'forward', 'TEAM', 'on', '--json'])
    expect(jsonLines(on.stdout)).toMatchObject([{ state: 'paused', forward: true, reason: null }])
    expect(await desktop.run(['relay', 'forward', 'Team', 'perhaps'])).toMatchObject({ code: 2 })
    for (const words of [
      ['pause', 'x'],
      ['resume', 'x'],
      ['forward', 'x', 'on'],
      ['forget', 'x'],
    ]) {
      expect(await desktop.run(['relay', ...words])).toMatchObject({
        code: 3,
        stderr: 'Relay "x" does not exist. Available: Team.\n',
      })
    }
    const resumed = await desktop.run(['relay', 'resume', 'Team', '--json'])
    expect(jsonLines(resumed.stdout)).toMatchObject([{ state: 'offline', enabled: true }])
    await using tab = await desktop.start()
    await desktop.until('the relay', isState('live'))
    await deliver(relay, 3)
    await desktop.until('the deliveries', ({ deliveries }) => deliveries === 3)
    // Without a terminal, it is not confirmed.
    expect(await desktop.run(['relay', 'forget', 'Team', '--deliveries'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('also deletes its 3 deliveries here. Confirm with --yes.'),
    })
    const forgotten = await desktop.run(['relay', 'forget', 'Team', '--deliveries', '--yes'])
    expect(forgotten.stdout.toString()).toBe('Forgot "Team" and deleted 3 deliveries.\n')
    expect((await tab.engine.call('app.snapshot', {})).stats.deliveries).toBe(0)
  })

  test('has a name of its own, and keeps it when its key is replaced', async () => {
    await using first = await openTeam()
    await using second = await openTeam()
    const desktop = new Desktop()
    await using tab = await desktop.start()
    for (const relay of [first, second]) {
      const invitation = await invitationFor(relay, 'ann')
      expect((await desktop.run(['relay', 'add'], invitation)).code).toBe(0)
    }
    const { servers } = await first.invite('eve')
    expect(await desktop.relays()).toMatchObject([
      { id: 1, name: 'Team', servers },
      { id: 2, name: 'Team 2' },
    ])
    await expect(tab.engine.call('relay.update', { id: 2, name: 'TEAM' })).rejects.toMatchObject({
      code: 'name_taken',
    })
    await tab.engine.call('relay.update', { id: 2, name: 'Harbour' })
    await deliver(second, 1)
    await tab.kept(1)
    const invitation = await invitationFor(second, 'ann', '--force')
    // Only the address says that it is the same relay, which has no CA on loopback.
    const read = await tab.engine.call('relay.read', { invitation })
    expect(read).toMatchObject({ name: 'Team 2', replaces: 2, confirm: true })
    expect(await desktop.run(['relay', 'add'], invitation)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^This replaces .* of "Harbour" \(nats:.* Confirm with --yes/),
    })
    expect((await desktop.run(['relay', 'add', '--yes'], invitation)).code).toBe(0)
    await deliver(second, 1)
    await tab.kept(2)
    const forgotten = await desktop.run(['relay', 'forget', 'Team', '--yes', '--json'])
    expect(jsonLines(forgotten.stdout)).toEqual([{ event: 'removed', kind: 'relay', id: 1 }])
    await desktop.until('the deliveries', ({ deliveries }) => deliveries === 2)
    expect(await desktop.relays()).toMatchObject([{ id: 2, name: 'Harbour' }])
  })
})

function seedOf(invitation: string): string {
  const { seed } = decodeInvitation(invitation)
  if (seed === null) throw new Error('the invitation has no key')
  return seed
}
