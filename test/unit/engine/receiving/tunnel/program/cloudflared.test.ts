import { describe, expect, it } from 'vitest'
import { cloudflared } from '#engine/receiving/tunnel/program/cloudflared.ts'
import { ngrok } from '#engine/receiving/tunnel/program/ngrok.ts'

/** The meaning of all lines together. */
function read(...lines: readonly string[]) {
  const reader = cloudflared.reader((text) => text)
  return { said: lines.flatMap((line) => [...reader.line(line)]), failure: reader.failure() }
}

const created =
  '2023-04-18T14:06:49Z INF |  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |'
const border = `2023-04-18T14:06:49Z INF +${'-'.repeat(92)}+`
const boxed = (text: string) => `2023-04-18T14:06:49Z INF |  ${text.padEnd(88)}  |`

describe('Output of cloudflared', () => {
  it('has its address in the box below the announcement, and nowhere else', () => {
    const url = 'https://buffalo-marco-cardiff-motel.trycloudflare.com'
    expect(read(border, created, boxed(url), border).said).toEqual([{ what: 'address', text: url }])
    expect(
      read(
        '2023-04-18T14:06:46Z INF Thank you for trying Cloudflare Tunnel: https://developers.cloudflare.com/x',
        boxed('https://elsewhere.example'),
        border,
        created,
        border,
        border,
        border,
        boxed('https://too-late.example'),
      ).said,
    ).toEqual([])
  })

  it('is read in colour', () => {
    const open = [{ what: 'connections', open: 1, most: 1 }]
    expect(
      read(
        '\u001b[90m2026-04-01T12:00:00Z\u001b[0m \u001b[32mINF\u001b[0m Registered tunnel connection connIndex=0',
      ).said,
    ).toEqual(open)
  })

  it('counts the four connections of older versions, in their words', () => {
    const registered = [0, 1, 2, 3].map(
      (index) =>
        `2022-06-01T16:23:12Z INF Connection c206cf44-945f-4c3c-a85c-af60c6338dc2 registered connIndex=${index} location=ORD`,
    )
    const { said } = read(
      ...registered,
      '2022-08-21T00:22:25Z INF Unregistered tunnel connection connIndex=2',
      '2022-08-21T00:22:25Z WRN Serve tunnel error error="timeout: no recent network activity" connIndex=2',
      '2022-08-21T00:22:26Z WRN Connection terminated error="timeout" connIndex=0',
    )
    expect(said.map((one) => (one.what === 'connections' ? [one.open, one.most] : one))).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [3, 4],
      [2, 4],
    ])
  })

  it('is reported without the time', () => {
    const reader = cloudflared.reader((text) => text)
    expect(reader.messageOf('2022-01-29T09:49:15Z ERR Something happened error="x"')).toBe(
      'Something happened error="x"',
    )
  })

  it.each([
    [
      'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com: no such host',
      'server_unresolved',
    ],
    [
      'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp 104.16.0.1:443: i/o timeout',
      'server_down',
    ],
    [
      "failed to unmarshal quick Tunnel: invalid character '<' looking for beginning of value",
      'server_answer',
    ],
    // cloudflared 2023.5, https://github.com/cloudflare/cloudflared/issues/972: the limit of Cloudflare.
    [
      "failed to unmarshal quick Tunnel: invalid character 'e' looking for beginning of value",
      'server_refused',
    ],
    // Later versions: https://github.com/cloudflare/cloudflared/pull/1302
    [
      'ERR Error unmarshaling QuickTunnel response: error code: 1015 error="invalid character" status_code="429 Too Many Requests"',
      'server_refused',
    ],
    ['Incorrect Usage: flag provided but not defined: -grace-period', 'program_failed'],
  ])('has known last words: %s', (line, code) => {
    expect(read(line).failure?.code).toBe(code)
  })
})

it.each([
  // ngrok 2, https://github.com/inconshreveable/ngrok/issues/777: the code is in a later line.
  "Your account 'somebody' is limited to 1 simultaneous ngrok client session.",
  'ERROR:  authentication failed: Your account is limited to 1 simultaneous ngrok agent sessions.',
  '{"lvl":"eror","msg":"session closing","err":"Your account is limited to 1 simultaneous ngrok agent sessions.\\n\\nERR_NGROK_108\\r\\n"}',
])('ngrok: a limit is a refusal that may end: %s', (line) => {
  const reader = ngrok.reader((text) => text)
  reader.line(line)
  expect(reader.failure()).toMatchObject({ code: 'server_refused', retry: true })
})
