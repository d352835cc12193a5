import { describe, expect, it } from 'vitest'
import { quoted } from '#engine/receiving/tunnel/program/reader.ts'

describe('Program output, in a sentence', () => {
  it('is on one line and printable', () => {
    expect(quoted('\u001b[31mfirst\u001b[0m\r\n\tsecond\u0000\u202e third\ufeff')).toBe(
      'first second third',
    )
  })

  it('is not long', () => {
    const text = quoted('word '.repeat(1000))
    expect(text).toHaveLength(301)
    expect(text.endsWith('…')).toBe(true)
    expect(quoted(`${'a '.repeat(149)}a🛎b`)).toMatch(/^[a ]+…$/)
  })

  it.each([
    ['Your authtoken: 1yaP1QLD0cVVKBknmtX9TAduxr6_6BSaEj1DVgGXFiVSHZbz9~', 'Your authtoken: …'],
    ['Your authtoken: short', 'Your authtoken: …'],
    ['{"token":"abc","a":1}', '{"token":"…","a":1}'],
    ['TUNNEL_TOKEN=eyJhIjoiYWJj run', 'TUNNEL_TOKEN=… run'],
    ['with 2NvKq8sXw4yTz6Rb1Pd3Lm5Jh7Gf inside', 'with … inside'],
    ['key sk-4f9a8b7c6d5e4f3a2b1c0d9e8f7a', 'key …'],
  ])('has no token: %s', (said, shown) => {
    expect(quoted(said)).toBe(shown)
  })

  it('does not contain values of environment variables whose names suggest secrets', () => {
    const env = { NGROK_AUTHTOKEN: 'plain', MY_PASSWORD: 'open sesame', HOME: '/home/somebody' }
    expect(quoted('plain text, open sesame, /home/somebody', env)).toBe('… text, …, /home/somebody')
  })

  it('contains no half of a secret, nor one with color codes', () => {
    const env = { NGROK_AUTHTOKEN: 'abcdefghijkl' }
    expect(quoted(`${' '.repeat(3995)}abcdefghijkl`, env)).toBe('')
    expect(quoted('it is abc\u001b[0mdefghijkl', env)).toBe('it is …')
  })

  it('keeps names of hosts, addresses and codes', () => {
    const text =
      'lookup symantec-transferred-lock-revenues.trycloudflare.com on 127.0.0.53:53: ERR_NGROK_4018 connect.ngrok-agent.com:443'
    expect(quoted(text)).toBe(text)
  })
})
