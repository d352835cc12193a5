import { describe, expect, it } from 'vitest'
import { quotedServerText, statusFailure } from '#engine/receiving/tunnel/worker.ts'

const setup = { host: 'https://tunnel.example.test', name: 'pier9', byUser: true }

describe('A status instead of a tunnel', () => {
  it.each([
    [204, 'server_answer'],
    [304, 'server_answer'],
    [400, 'server_refused'],
    [403, 'server_refused'],
    [429, 'server_refused'],
    [500, 'server_answer'],
    [503, 'server_answer'],
  ])('of %i is %s, and may be another the next time', (status, code) => {
    expect(statusFailure(status, '<html>', setup)).toMatchObject({ code, retry: true })
  })

  it('is final if it concerns the name that the user chose', () => {
    const data = { message: 'Invalid subdomain.' }
    expect(statusFailure(403, data, setup).retry).toBe(false)
    // Requested only because it was assigned the last time, so the user cannot choose another.
    expect(statusFailure(403, data, { ...setup, byUser: false }).retry).toBe(true)
    expect(statusFailure(403, { message: 'Not from here.' }, setup).retry).toBe(true)
  })

  it('is reported with the server’s message, and with the rule for names if one was requested', () => {
    const data = { message: `Invalid\r\n\u001B[31msubdomain.${'x '.repeat(5000)}` }
    const { message } = statusFailure(403, data, setup)
    expect(message).toMatch(
      /^https:\/\/tunnel.example.test refused to open a tunnel \(status 403\)/,
    )
    expect(message).toContain(': Invalid subdomain.x')
    expect(message).toContain('4 to 63 lower-case letters, digits and hyphens')
    expect(message.length).toBeLessThan(600)
    expect(statusFailure(404, null, { ...setup, name: null }).message).toBe(
      'https://tunnel.example.test refused to open a tunnel (status 404).',
    )
  })
})

describe('A server’s message', () => {
  it('is one line, printable, short, and without a full stop', () => {
    expect(quotedServerText(' a\u0000b\u2028c\u202E \n d. ')).toBe('a b c d')
    expect(quotedServerText('a b '.repeat(500)).length).toBeLessThan(310)
  })
})
