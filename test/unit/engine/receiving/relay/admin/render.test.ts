import { describe, expect, it, test } from 'vitest'
import { wantedStreams } from '#engine/receiving/relay/admin/check.ts'
import { natsConfiguration, renderFiles } from '#engine/receiving/relay/admin/render.ts'
import {
  endpointOf,
  grantedEndpoints,
  serversOf,
  type RelayState,
} from '#engine/receiving/relay/admin/state.ts'

const state: RelayState = {
  tabscope: 'relay',
  version: 1,
  name: 'Team\n100%',
  hosts: ['relay.example.com'],
  port: 4222,
  keepDays: 7,
  maxBytes: 10e9,
  endpoints: [
    { slug: 'bar', status: 200 },
    { slug: 'terrace', status: 204 },
  ],
  ca: 'PEM',
  admin: { key: 'UADMIN', seed: 'SUADMIN' },
  receivers: [{ name: 'edge-1', key: 'UEDGE', seed: 'SUEDGE' }],
  users: [
    { name: 'ann', key: 'UANN', endpoints: ['*'] },
    { name: 'ben', key: 'UBEN', endpoints: ['bar'] },
  ],
}

describe('nats.conf', () => {
  it('has TLS 1.3, syncs always, and has no seed', () => {
    const text = natsConfiguration(state)
    expect(text).toContain('min_version: "1.3"')
    expect(text).toContain('sync_interval: always')
    expect(text).toContain('max_payload: 1MB')
    expect(text).not.toMatch(/SUADMIN|SUEDGE/)
    expect(text).not.toContain('cluster')
    // From everywhere, but its monitoring port is only for this computer.
    expect(text).not.toMatch(/^host:/m)
    expect(text).toContain('http: "127.0.0.1:8222"')
  })

  it('has no TLS on loopback, and listens only there', () => {
    const text = natsConfiguration({ ...state, hosts: ['127.0.0.1'], ca: null })
    expect(text).not.toContain('tls')
    expect(text).toMatch(/^host: "127\.0\.0\.1"$/m)
  })
})

describe('the other files', () => {
  const templates = { 'x.service': '{{name}} {{folder}} {{receiver}}', 'compose.yaml': '{{alias}}' }
  const rendered = (changes: Partial<RelayState> = {}) =>
    new Map(
      renderFiles({ ...state, ...changes }, '/srv/100%', templates).map((file) => [
        file.name,
        file,
      ]),
    )

  it('keep a name in its line, and no specifier of systemd', () => {
    expect(rendered().get('x.service')?.text).toBe('Team 100  /srv/100%% edge-1')
    expect(rendered().get('compose.yaml')?.text).toBe('relay.example.com')
  })

  it('say which have keys', () => {
    const secret = [...rendered().values()].filter((file) => file.secret).map(({ name }) => name)
    expect(secret).toEqual(['admin.json', 'receiver-edge-1.json'])
  })

  it('are no services for a relay on loopback, and no containers for a cluster', () => {
    expect([...rendered({ hosts: ['127.0.0.1'] }).keys()]).not.toContain('x.service')
    const cluster = [...rendered({ hosts: ['a', 'b', 'c'] }).keys()]
    expect(cluster).toContain('x.service')
    expect(cluster).not.toContain('compose.yaml')
  })

  it('name no placeholder without a value', () => {
    expect(() => renderFiles(state, '/srv', { 'x.service': '{{typo}}' })).toThrow('typo')
  })
})

test('streams share the space, and bodies outlive what refers to them', () => {
  const limits = { keepDays: 1, maxBytes: 1001, replicas: 3 }
  const [bar, none, bodies] = wantedStreams({ ...limits, endpoints: ['bar', '_'] })
  // The server limits all of them.
  expect([bar?.max_bytes, none?.max_bytes, bodies?.max_bytes]).toEqual([-1, -1, 250])
  expect((bodies?.max_age ?? 0) - (bar?.max_age ?? 0)).toBe(3600 * 1e9)
  expect(bar).toMatchObject({ discard: 'new', deny_delete: true, num_replicas: 3 })
})

test('servers have TLS off loopback', () => {
  expect(serversOf({ hosts: ['a.example', '::1'], port: 1 })).toEqual([
    'tls://a.example:1',
    'tls://[::1]:1',
  ])
  expect(serversOf({ hosts: ['localhost'], port: 1 })).toEqual(['nats://localhost:1'])
})

test('endpoints have a status, and only known ones are granted', () => {
  expect(endpointOf('bar')).toEqual({ slug: 'bar', status: 200 })
  expect(endpointOf('bar:503')).toEqual({ slug: 'bar', status: 503 })
  for (const text of ['', '_', 'Bar', 'bar:', 'bar:600', 'bar:2000', 'a.b', '*'])
    expect(() => endpointOf(text)).toThrow('An endpoint has')
  expect(grantedEndpoints(state, [])).toEqual(['*'])
  expect(grantedEndpoints(state, ['bar', 'bar'])).toEqual(['bar'])
  expect(() => grantedEndpoints(state, ['kitchen'])).toThrow('no endpoint "kitchen"')
})
