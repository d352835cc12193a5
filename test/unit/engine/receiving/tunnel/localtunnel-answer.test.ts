import { describe, expect, it } from 'vitest'
import { assignedBy } from '#engine/receiving/tunnel/worker.ts'
import { TunnelFailure } from '#engine/receiving/tunnel/provider.ts'

const server = 'https://tunnel.example.test'
const good = {
  id: 'pier9',
  port: 40_123,
  max_conn_count: 10,
  url: 'https://pier9.tunnel.example.test',
}

function failing(data: unknown, near: 'loopback' | 'private' | 'public' = 'public'): string {
  try {
    assignedBy(data, server, near)
  } catch (error) {
    if (error instanceof TunnelFailure && error.code === 'server_answer') return error.message
    throw error
  }
  throw new Error('it was taken')
}

describe('The response of a localtunnel server', () => {
  it('is accepted unchanged', () => {
    expect(assignedBy(good, server, 'public')).toEqual({
      id: 'pier9',
      url: 'https://pier9.tunnel.example.test',
      ip: null,
      port: 40_123,
      most: 10,
    })
    const elsewhere = { ...good, ip: '203.0.113.9', url: `${good.url}/`, cached_url: null }
    expect(assignedBy(elsewhere, server, 'public')).toMatchObject({
      ip: '203.0.113.9',
      url: 'https://pier9.tunnel.example.test',
    })
  })

  it.each([
    '<!doctype html>',
    null,
    [good],
    {},
    { ...good, port: '40123' },
    { ...good, port: 0 },
    { ...good, port: 65_536 },
    { ...good, id: '' },
    { ...good, ip: 9 },
    { ...good, url: 'ftp://pier9.test' },
    { ...good, url: 'https://pier9.test/path' },
    { ...good, url: 'https://a:b@pier9.test' },
    { ...good, url: 'pier9' },
    { ...good, url: 'http://pier9.127.0.0.1:4000' },
  ])('is no tunnel: %j', (data) => {
    expect(failing(data)).toMatch(/^https:\/\/tunnel\.example\.test responded with something else/)
  })

  it.each([
    [undefined, 1],
    [-5, 1],
    [Number.NaN, 1],
    [2.7, 2],
    [1e9, 64],
  ])('limits the number of connections: %j', (count, most) => {
    expect(assignedBy({ ...good, max_conn_count: count }, server, 'public').most).toBe(most)
  })

  it.each([
    ['127.0.0.1', 'public', /this address is on this machine/],
    ['0.0.0.0', 'public', /this address is on this machine/],
    ['::ffff:127.0.0.1', 'public', /this address is on this machine/],
    ['10.0.0.8', 'public', /this address is inside your network/],
    ['169.254.169.254', 'public', /this address is inside your network/],
    ['fe80::1', 'public', /this address is inside your network/],
    ['127.0.0.1', 'private', /this address is on this machine/],
    ['inner.example.test', 'public', /this is not an IP address/],
  ] as const)('does not connect to %s for a %s server', (ip, near, sentence) => {
    expect(failing({ ...good, ip }, near)).toMatch(sentence)
    expect(failing({ ...good, ip }, near)).toContain('Tabscope does not connect there.')
  })

  it('connects to a private address if the server is private too, but not to a system port', () => {
    expect(assignedBy({ ...good, ip: '10.0.0.8' }, server, 'private').ip).toBe('10.0.0.8')
    expect(assignedBy({ ...good, ip: '127.0.0.1' }, server, 'loopback').ip).toBe('127.0.0.1')
    expect(failing({ ...good, ip: '127.0.0.1', port: 22 }, 'loopback')).toMatch(
      /this is a system port/,
    )
  })
})
