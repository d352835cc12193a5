import { expect, it } from 'vitest'
import { serverNotice, tunnelSetupOf } from '#hosts/node/command-line/tunnel-option.ts'
import { UsageError } from '#hosts/node/command-line/errors.ts'

it('parses the value of --tunnel', () => {
  const cases: readonly [string, object | string][] = [
    ['none', 'none'],
    ['localtunnel', { provider: 'localtunnel', options: {} }],
    ['localtunnel:pier9', { provider: 'localtunnel', options: { subdomain: 'pier9' } }],
    [
      'localtunnel:pier9@http://localhost:4000',
      { provider: 'localtunnel', options: { subdomain: 'pier9', host: 'http://localhost:4000' } },
    ],
    [
      'localtunnel@tunnel.example.test',
      { provider: 'localtunnel', options: { host: 'https://tunnel.example.test' } },
    ],
    [
      'manual:https://hooks.example.test/',
      { provider: 'manual', options: { url: 'https://hooks.example.test' } },
    ],
    ['cloudflared', { provider: 'cloudflared', options: {} }],
    ['ngrok', { provider: 'ngrok', options: {} }],
    ['ngrok:pier9.example.test', { provider: 'ngrok', options: { domain: 'pier9.example.test' } }],
  ]
  for (const [text, setup] of cases) expect([text, tunnelSetupOf(text)]).toEqual([text, setup])
  expect(tunnelSetupOf(undefined)).toBeUndefined()
})

it.each([
  ['', /Unknown tunnel ""\. Available: localtunnel,/],
  ['nothing', /Unknown tunnel "nothing"/],
  ['localtunnelx', /Unknown tunnel "localtunnelx"/],
  ['localtunnel:Not A Name', /subdomain/i],
  ['localtunnel:abc', /^This subdomain is not allowed\. A subdomain has 4 to 63 /],
  ['localtunnel@ftp://example.test', /http/],
  ['manual', /url|address/i],
  ['manual:ftp://example.test', /http/],
  ['cloudflared:word', /./],
])('rejects %j with a message', (text, sentence) => {
  expect(() => tunnelSetupOf(text)).toThrow(UsageError)
  expect(() => tunnelSetupOf(text)).toThrow(sentence)
})

it.each([
  ['localtunnel', true],
  ['localtunnel:pier9', true],
  ['localtunnel@https://localtunnel.me', true],
  ['localtunnel@tunnel.example.test', false],
  ['manual:https://hooks.example.test', false],
  ['cloudflared', false],
])('names the operator of a public server of %s', (text, isPublic) => {
  const setup = tunnelSetupOf(text)
  if (setup === undefined || setup === 'none') throw new Error('no setup')
  expect(serverNotice(setup)).toBe(
    isPublic
      ? 'localtunnel uses https://localtunnel.me, a public server run by volunteers. Its operators can read everything that passes through the tunnel.'
      : null,
  )
})
