import { describe, expect, it } from 'vitest'
import { assignedBy } from '#engine/tunnel/worker.ts'
import { TunnelFailure } from '#engine/tunnel/provider.ts'

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
    ['<!doctype html>', /a web page instead of a tunnel/],
    [' \n<html>', /a web page instead of a tunnel/],
    ['hello', /text instead of a tunnel/],
    [null, /unexpected data instead of a tunnel/],
    [[good], /unexpected data instead of a tunnel/],
    [{}, /wrong or missing: id, url, port\)/],
    [{ ...good, port: '40123' }, /missing: port\)/],
    [{ ...good, port: 0 }, /missing: port\)/],
    [{ ...good, port: 65_536 }, /missing: port\)/],
    [{ ...good, port: 80.5 }, /missing: port\)/],
    [{ ...good, id: '' }, /missing: id\)/],
    [{ ...good, id: 9 }, /missing: id\)/],
    [{ ...good, ip: 9 }, /missing: ip\)/],
    [{ ...good, url: 'ftp://pier9.test' }, /an invalid URL \(ftp:\/\/pier9.test\)/],
    [{ ...good, url: 'https://' }, /an invalid URL/],
    [{ ...good, url: 'https://pier9.test/path' }, /an invalid URL/],
    [{ ...good, url: 'https://a:b@pier9.test' }, /an invalid URL/],
    [{ ...good, url: 'pier9' }, /an invalid URL/],
    [{ ...good, url: '\u001B[2J\u202Ehttps://x' }, /an invalid URL \(https:\/\/x\)/],
  ])('is no tunnel: %j', (data, sentence) => {
    expect(failing(data)).toMatch(sentence)
  })

  it('reports that a name is required where a name before an IP address is not an address', () => {
    const data = { ...good, url: 'http://pier9.127.0.0.1:4000' }
    expect(() => assignedBy(data, 'http://127.0.0.1:4000', 'loopback')).toThrow(
      /Enter its host name instead of its IP address\.$/,
    )
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
