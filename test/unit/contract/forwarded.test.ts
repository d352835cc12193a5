import { describe, expect, it } from 'vitest'
import { readClaims, claimNotes, describeClaims } from '#contract/forwarded.ts'
import { isProxyHeader } from '#contract/proxy-headers.ts'
import type { Header } from '#contract/models.ts'
import { seeded } from '#sandbox/random.ts'

const says = (via: 'tunnel' | null, ...headers: Header[]): string | null =>
  describeClaims(readClaims(headers), via)?.description ?? null

const chainOf = (...headers: Header[]): string[] =>
  readClaims(headers).chain.map(({ text, address }) => address ?? `"${text}"`)

const contradictory = (...headers: Header[]) => readClaims(headers).contradictory

describe('readClaims', () => {
  it('ignores headers that claim nothing', () => {
    expect(
      readClaims([
        ['Host', 'pier9.loca.lt'],
        ['User-Agent', 'Service-WebhookAgent/1.0'],
        ['Content-Length', '12'],
        ['X-Request-Id', '7'],
        ['X-Service-Event-Type', 'OPEN_TAB'],
      ]),
    ).toEqual({
      chain: [],
      protocol: null,
      host: null,
      port: null,
      contradictory: false,
      headers: [],
    })
  })

  it('joins the chain of several headers and entries in order, with any letter case of the names', () => {
    expect(
      readClaims([
        ['host', 'a'],
        ['x-forwarded-for', '203.0.113.9, 198.51.100.2'],
        ['X-Forwarded-Proto', 'https'],
        ['X-FORWARDED-FOR', ' 2001:DB8::1 ,,'],
        ['x-forwarded-host', 'pier9.loca.lt'],
        ['x-forwarded-port', '443'],
      ]),
    ).toEqual({
      chain: [
        { text: '203.0.113.9', address: '203.0.113.9' },
        { text: '198.51.100.2', address: '198.51.100.2' },
        { text: '2001:DB8::1', address: '2001:db8::1' },
      ],
      protocol: 'https',
      host: 'pier9.loca.lt',
      port: '443',
      contradictory: false,
      headers: [1, 2, 3, 4, 5],
    })
  })

  it.each<[string, string]>([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['[::FFFF:203.0.113.9]:80', '203.0.113.9'],
    ['::1', '::1'],
    ['unknown', '"unknown"'],
    ['_hidden', '"_hidden"'],
    ['203.0.113', '"203.0.113"'],
    ['203.0.113.999', '"203.0.113.999"'],
    ['[203.0.113.9]', '"[203.0.113.9]"'],
    ['203.0.113.9:', '"203.0.113.9:"'],
    ['fe80::1%eth0', '"fe80::1%eth0"'],
    ['<b>1</b>', '"<b>1</b>"'],
  ])('tells whether %s is an address', (text, expected) => {
    expect(chainOf(['X-Forwarded-For', text])).toEqual([expected])
  })

  it.each(['X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP'])('takes %s alone', (name) => {
    expect(chainOf([name, '203.0.113.9'])).toEqual(['203.0.113.9'])
  })

  it('reports that headers contradict each other only when they do', () => {
    const chain: Header = ['X-Forwarded-For', '203.0.113.9, 198.51.100.2']
    expect(contradictory(chain, ['X-Real-IP', '198.51.100.2'])).toBe(false)
    expect(contradictory(chain, ['X-Real-IP', '192.0.2.7'])).toBe(true)
  })

  it('recognizes the headers of proxies and tunnels, and no others', () => {
    const added = ['forwarded', 'x-forwarded-server', 'via', 'cdn-loop', 'cf-ray', 'x-nginx-proxy']
    expect(added.filter((name) => !isProxyHeader(name))).toEqual([])
    const own = ['host', 'user-agent', 'content-length', 'x-request-id', 'x-forwarded', 'cf-custom']
    expect(own.filter(isProxyHeader)).toEqual([])
  })

  it('never throws, and returns a small result for any header list', () => {
    const random = seeded(6)
    const pieces = ['"', '\\', ',', ';', '=', 'for', 'proto', '[', ']', ':', '::1', '\u0000', 'é']
    const names = ['X-Forwarded-For', 'forwarded', 'X-REAL-IP', 'x-forwarded-proto', 'Via', '']
    let read = 0
    for (let round = 0; round < 3000; round += 1) {
      const headers = Array.from({ length: random.between(0, 6) }, (): Header => {
        const value = Array.from({ length: random.between(0, 40) }, () => random.pick(pieces))
        return [random.pick(names), value.join('')]
      })
      const claims = readClaims(headers)
      read += claims.chain.length
      expect(
        claims.headers.every((place) => isProxyHeader(headers[place]?.[0].toLowerCase() ?? '')),
      ).toBe(true)
      expect(typeof describeClaims(claims, 'tunnel')?.description).toBe('string')
    }
    expect(read).toBeGreaterThan(1000)

    const long = 'x'.repeat(1_000_000)
    const huge = readClaims([
      ['X-Forwarded-For', `${long},${'1.1.1.1,'.repeat(100_000)}`],
      ...Array.from({ length: 1000 }, (): Header => ['X-Forwarded-For', '1.1.1.1']),
      ['X-Forwarded-Proto', long],
      ['X-Forwarded-Host', long],
    ])
    expect(huge.chain).toHaveLength(32)
    expect(JSON.stringify({ ...huge, headers: [] }).length).toBeLessThan(3000)
  })
})

describe('describeClaims', () => {
  const whole: Header[] = [
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-proto', 'https'],
  ]

  it('names the tunnel as source, or otherwise only a header', () => {
    expect(says('tunnel', ...whole)).toBe('Reported by the tunnel: from 203.0.113.9, over https.')
    expect(says(null, ...whole)).toBe(
      'Reported by a header: from 203.0.113.9, over https. Received directly or through your own proxy.',
    )
    expect(says('tunnel')).toBe('Received through the tunnel, which does not report a source.')
    expect(says(null)).toBeNull()
    expect(says(null, ['Via', '1.1 proxy'])).toBeNull()
  })

  it('quotes text that is neither an address nor a protocol', () => {
    expect(
      says(
        null,
        ['X-Forwarded-For', 'a friend. It is safe'],
        ['X-Forwarded-Proto', 'https, and well'],
        ['X-Forwarded-Host', 'it is proven'],
      ),
    ).toBe(
      'Reported by a header: from “a friend. It is safe” (not an IP address), over https, to “it is proven”. Received directly or through your own proxy.',
    )
  })

  it('reports who claims each address of a chain', () => {
    const described = describeClaims(
      readClaims([['X-Forwarded-For', '192.0.2.1, 203.0.113.9']]),
      'tunnel',
    )
    expect(described?.description).toBe('Reported by the tunnel: from 192.0.2.1, via 203.0.113.9.')
    expect(described && claimNotes(described)).toEqual([
      'Only the last address was added by the tunnel. The others were in the request.',
      'Not verified: any sender can set these headers.',
    ])
  })
})
