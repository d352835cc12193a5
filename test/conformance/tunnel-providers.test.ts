import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#engine/platform/errors.ts'
import type { TunnelProvider } from '#engine/receiving/tunnel/provider.ts'
import { tunnelProviders } from '#engine/receiving/tunnel/providers.ts'
import {
  leakedResources,
  openResources,
  untilResourcesReleased,
} from '#test/support/open-resources.ts'
import { full } from '#test/support/full.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { recordingServer } from '#test/support/recording-server.ts'
import { openingFailure, openTunnel } from '#test/support/tunnel-opened.ts'
import type { OpenOptions, FarSide, TunnelRig } from '#test/support/tunnel-rig.ts'
import { until } from '#test/support/until.ts'

const rigs = Object.entries(
  import.meta.glob<TunnelRig>('./tunnel/*.ts', { eager: true, import: 'default' }),
).map(([file, rig]) => ({ id: file.replace(/^.*\/(.*)\.ts$/, '$1'), rig }))

describe('The providers of tunnels', () => {
  it('each have a rig, and no rig is unused', () => {
    expect(rigs.map(({ id }) => id).toSorted()).toEqual(
      tunnelProviders.map(({ id }) => id).toSorted(),
    )
  })

  it('have unique IDs, written as on the command line', () => {
    const ids = tunnelProviders.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(ids).not.toContain('none')
  })
})

const cases = tunnelProviders.flatMap((provider) => {
  const found = rigs.find(({ id }) => id === provider.id)
  return found ? [{ provider, rig: found.rig }] : []
})

/** The thrown error, which must be a `bad_input` that names a field. */
function blamed(refused: () => unknown): readonly unknown[] {
  try {
    refused()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('bad_input')
    expect(error.message).toMatch(/^[A-Za-z].*[.]$/s)
    const { fields } = error.details ?? {}
    return Array.isArray(fields) ? fields : []
  }
  throw new Error('it was taken')
}

/** Tunnels are opened by other threads and programs, on a machine that may be busy. */
const slow = { timeout: 30_000 }

const bodies = {
  'of 256 KiB': randomBytes(256 * 1024),
  'of no bytes': Buffer.alloc(0),
  'in gzip': gzipSync('{"a":1}'),
  'of unicode with a line break at its end': Buffer.from('{"guest":"Žofie 🛎"}\r\n'),
}

describe.each(cases)('$provider.id, with $rig.label', slow, ({ provider, rig }) => {
  it('describes itself, its requirements and its limitations', () => {
    expect(provider.label).not.toBe('')
    expect(provider.about).toMatch(/^[A-Z].*\.$/)
    expect(provider.notes.length).toBeGreaterThan(0)
    for (const note of provider.notes) expect(note).toMatch(/^[A-Z].*\.$/)
    for (const { name, label, hint } of provider.fields) {
      expect(name).toMatch(/^[a-z][A-Za-z]*$/)
      expect(label).not.toBe('')
      expect(hint).toMatch(/^[A-Z].*\.$/)
    }
  })

  it.each(rig.written)('parses the option "%s"', (rest, options) => {
    const read = provider.parse(rest)
    expect(read).toEqual(options)
    expect(provider.check(read)).toEqual(read)
  })

  it.each(rig.refusedWritten)('rejects the option "%s" and names %s', (rest, field) => {
    expect(blamed(() => provider.parse(rest))).toContain(field)
  })

  it.each(rig.refused)('rejects %j and names %s', (options, field) => {
    expect(blamed(() => provider.check(options))).toContain(field)
  })

  // `cloudflared` shows what both programs share: one double stands for them.
  const runs = rig.notHere === null && (full || provider.id !== 'ngrok')
  describe.runIf(runs)('opened', () => {
    let before = openResources()
    beforeAll(() => {
      before = openResources()
    })
    // None of its child processes, sockets, timers or threads is left.
    afterEach(() => untilResourcesReleased(before))

    it('relays bytes unchanged and releases its resources when closed', async () => {
      await using side = await rig.start()
      const answer = randomBytes(100_000)
      await using server = await recordingServer(answer)
      const circumstances = await side.towards(server.port)
      const { missing } = await provider.detect(circumstances.world)
      expect(missing).toBeNull()

      const { tunnel, close } = await openTunnel(provider, circumstances, server.port)
      expect(new URL(tunnel.url).origin).toBe(tunnel.url)
      for (const [name, body] of Object.entries(bodies)) {
        const target = `/hooks/pier-9?${name.replaceAll(' ', '%20')}`
        const got = await publicRequest(tunnel.url + target, { method: 'POST', body })
        expect([got.status, got.body.equals(answer)]).toEqual([200, true])
        const received = server.received.at(-1)
        expect([received?.method, received?.target]).toEqual(['POST', target])
        expect(received?.body.equals(body), `a body ${name}`).toBe(true)
      }

      expect(await close()).toBeNull()
      expect(side.left()).toEqual([])
      if (rig.holds) {
        const count = server.received.length
        const reached = await publicRequest(`${tunnel.url}/hooks/pier-9`).then(
          ({ status }) => status < 400,
          () => false,
        )
        expect([reached, server.received.length - count]).toEqual([false, 0])
      } else {
        // A connection that the user has set up is not closed by Tabscope.
        const { status } = await publicRequest(`${tunnel.url}/hooks/pier-9`)
        expect(status).toBe(200)
      }
    })

    it.runIf(full)('reopens after it was closed, also with the options it reported', async () => {
      await using side = await rig.start()
      await using server = await recordingServer(Buffer.from('ok'))
      const circumstances = await side.towards(server.port)
      const first = await openTunnel(provider, circumstances, server.port)
      await first.close()
      await using second = await openTunnel(
        provider,
        circumstances,
        server.port,
        first.tunnel.nextName,
      )
      const { status } = await publicRequest(`${second.tunnel.url}/hooks/pier-9`)
      expect(status).toBe(200)
    })

    it.runIf(full)('does not disturb another tunnel of the same provider', async () => {
      await using side = await rig.start()
      await using here = await recordingServer(Buffer.from('here'))
      await using there = await recordingServer(Buffer.from('there'))
      const one = await openTunnel(provider, await side.towards(here.port), here.port)
      await using other = await openTunnel(provider, await side.towards(there.port), there.port)
      expect(one.tunnel.url).not.toBe(other.tunnel.url)
      const first = await publicRequest(`${one.tunnel.url}/hooks/a`)
      expect(first.body.toString()).toBe('here')
      await one.close()
      const second = await publicRequest(`${other.tunnel.url}/hooks/b`)
      expect(second.body.toString()).toBe('there')
    })

    it('stops immediately when it is closed before it starts', async () => {
      await using side = await rig.start()
      const { world, options } = await side.towards(9)
      const failure = await openingFailure(
        provider.open(
          { port: 9, options, previousName: null },
          world,
          unheard,
          AbortSignal.abort(),
        ),
      )
      expect(failure.message).toMatch(/\.$/)
      expect(side.left()).toEqual([])
    })

    if (!rig.holds) return

    it('stops while it is opening and leaves nothing behind', async () => {
      await using side = await rig.start()
      const held = heldBy(side)
      const circumstances = await held.silent()
      const idle = openResources()
      const abort = new AbortController()
      const opening = openingFailure(opened(provider, circumstances, abort.signal))
      await until('it to have begun', () => leakedResources(idle).length > 0)
      abort.abort()
      expect((await opening).message).toMatch(/\.$/)
      expect(side.left()).toEqual([])
    })

    it('reports why it cannot open when its server is unreachable', async () => {
      await using side = await rig.start()
      const held = heldBy(side)
      const circumstances = await held.absent()
      const failure = await openingFailure(
        opened(provider, circumstances, AbortSignal.timeout(9000)),
      )
      expect(rig.absence).toContain(failure.code)
      expect(failure.message).toMatch(/^[A-Za-z].*\.$/)
      expect(failure.retry).toBe(true)
      expect(side.left()).toEqual([])
    })

    it('reports why it ended when the remote side ends it', async () => {
      await using side = await rig.start()
      const held = heldBy(side)
      await using server = await recordingServer(Buffer.from('ok'))
      const circumstances = await side.towards(server.port)
      const { tunnel } = await openTunnel(provider, circumstances, server.port)
      await held.end(tunnel)
      const why = await tunnel.closed
      expect(why?.code).toBe('ended')
      expect(why?.message).toMatch(/^[A-Za-z].*\.$/)
      expect(why?.retry).toBe(true)
      expect(side.left()).toEqual([])
    })
  })
})

/** Throws if a rig is expected to hold resources but has no way to test this. */
function heldBy({ held }: FarSide): NonNullable<FarSide['held']> {
  if (held === null) throw new Error('the rig has nothing for what it holds')
  return held
}

const unheard = { trouble: () => undefined, connections: () => undefined }

/** To a port on which nothing listens. */
function opened(
  provider: TunnelProvider,
  { world, options }: OpenOptions,
  signal: AbortSignal,
): Promise<unknown> {
  return provider.open({ port: 9, options, previousName: null }, world, unheard, signal)
}
