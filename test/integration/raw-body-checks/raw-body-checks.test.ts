import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rawBodyChecks } from '#catalogue/raw-body-checks.ts'
import { startHandler, written } from './handler.ts'
import { runtimeOf } from './runtimes.ts'

const secret = 'a secret with ümlaut, 0123456789'
const brand = 'Acme'

/** Bodies whose original bytes are lost by parsing. */
const bodies = {
  compact: '{"type":"OPEN_TAB","data":{}}',
  pretty: '{\n  "type": "ORDER_PLACED",\n  "data": { "total": 15.50 }\n}\n',
  'with signs beyond ASCII': '{"type":"ORDER_PLACED","data":{"orderName":"Zoë \u{1F37A} \u2028"}}',
  'with escapes': '{"type":"QR_SCANNED","data":{"entryPoint":"https:\\/\\/x\\/\\u00e9"}}',
  'with a name twice and CRLF': '{\r\n"type":"X",\t"total":1.50,"total":1.5e0 }\r\n\r\n',
} as const

const hmac = (body: string | Uint8Array, key = secret): string =>
  createHmac('sha256', key).update(body).digest('hex')

async function send(url: string, body: string, signature: string | null): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(signature === null ? {} : { [`X-${brand}-Signature`]: signature }),
    },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

it('has a check for each required framework', () => {
  expect(rawBodyChecks.map(({ label }) => label)).toEqual([
    'ASP.NET Core',
    'Django',
    'Express',
    'FastAPI',
    'Fastify',
    'Flask',
    'Go (net/http)',
    'Hono',
    'Next.js',
    'PHP',
    'Rails',
    'Spring Boot',
  ])
})

describe.each(rawBodyChecks.map((check) => [check.label, check] as const))('%s', (label, check) => {
  const runtime = runtimeOf(check)
  const run = runtime.missing === null ? it : it.skip
  const why = runtime.missing === null ? '' : ` (skipped: ${runtime.missing})`

  run(`accepts only the correct signature over the received bytes${why}`, async () => {
    await using handler = await startHandler(check, runtime, brand, secret)
    const { url } = handler
    expect(handler.alive(), handler.output()).toBe(true)
    for (const [name, body] of Object.entries(bodies)) {
      expect(await send(url, body, hmac(body)), `${name}\n${handler.output()}`).toBe(204)
      const again = JSON.stringify(JSON.parse(body))
      if (again !== body) expect(await send(url, body, hmac(again)), name).toBe(401)
    }

    const body = bodies.pretty
    const right = hmac(body)
    const wrong: Record<string, string | null> = {
      'another secret': hmac(body, 'another secret'),
      'an empty secret': hmac(body, ''),
      'a hash without the secret': createHash('sha256').update(body).digest('hex'),
      'one digit changed': right.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      none: null,
      'an empty one': '',
      'a short one': right.slice(0, 32),
      'a long one': `${right}0`,
      capitals: right.toUpperCase(),
      'a prefix': `sha256=${right}`,
      'as long in letters, longer in bytes': 'ÿ'.repeat(64),
      garbage: '%00%ff \u00ff{}',
      base64: createHmac('sha256', secret).update(body).digest('base64'),
    }
    for (const [name, signature] of Object.entries(wrong)) {
      expect(await send(url, body, signature), `${name}\n${handler.output()}`).toBe(401)
    }
    expect(await send(url, `${body} `, right), 'another body').toBe(401)
    expect(await send(url, '', null), 'nothing at all').toBe(401)
    // Rails reads the body before the controller.
    expect([400, 401]).toContain(await send(url, '{"type":', null))

    expect(await send(url, body, right), 'still there').toBe(204)
    expect(handler.alive()).toBe(true)
    expect(handler.output()).not.toContain(secret)
  })

  run(`takes nothing while it has no secret${why}`, async () => {
    for (const none of [null, '']) {
      await using handler = await startHandler(check, runtime, brand, none)
      if (!handler.alive()) {
        expect(handler.output()).toContain('Set WEBHOOK_SECRET.')
        continue
      }
      expect(await send(handler.url, bodies.compact, hmac(bodies.compact, ''))).toBe(500)
    }
  })

  const { syntax } = runtime
  if (syntax) {
    it('has valid syntax', () => {
      using code = written(check, brand)
      const [command, ...args] = syntax(code.file)
      const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
    })
  }

  it('contains the header of the brand only', () => {
    const code = check.code(brand)
    expect(code).toMatch(/X-Acme-Signature|x-acme-signature|HTTP_X_ACME_SIGNATURE/)
    expect(code).not.toMatch(/X.Service/i)
    expect(code).toContain('WEBHOOK_SECRET')
    expect(check.note).toMatch(/\.$/)
    expect(code.split('\n').length, `${label} is short`).toBeLessThan(85)
  })
})
