import { headerName } from '#catalogue/headers.ts'
import { defineTestFramework } from '../generators.ts'

export default defineTestFramework({
  id: 'vitest',
  label: 'Vitest',
  folder: 'fixtures',
  test: ({ brand, header }) => ({
    path: 'webhooks.test.ts',
    text: `/**
${header.map((line) => ` * ${line}`.trimEnd()).join('\n')}
 */

import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const url = process.env['WEBHOOK_URL'] ?? 'http://127.0.0.1:3000/webhooks'
const secret = process.env['WEBHOOK_SECRET'] ?? 'test-secret'
const folder = new URL('./fixtures/', import.meta.url)
const accepted = /^2\\d\\d$/
const rejected = /^4\\d\\d$/

/** Of the exact bytes: a parsed and formatted body has another signature. */
function sign(body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** Resolves to the status of the response. */
async function send(name: string, body: Uint8Array, signature: string | null): Promise<string> {
  const headers = new Headers()
  for (const line of readFileSync(new URL(\`\${name}.headers\`, folder), 'utf8').split('\\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  if (signature !== null) headers.set('${headerName(brand, 'signature')}', signature)
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: Uint8Array.from(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  })
  await response.arrayBuffer()
  return String(response.status)
}

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))

describe.each(names)('%s', (name) => {
  const body = readFileSync(new URL(\`\${name}.json\`, folder))

  test('is accepted with a valid signature', async () => {
    expect(await send(name, body, sign(body))).toMatch(accepted)
  })

  test('is rejected if its body was changed', async () => {
    // It is still valid JSON: only its signature is wrong.
    const changed = Buffer.concat([body, Buffer.from(' ')])
    expect(await send(name, changed, sign(body))).toMatch(rejected)
  })

  test('is rejected without a signature', async () => {
    expect(await send(name, body, null)).toMatch(rejected)
  })

  test('is accepted when it is delivered twice', async () => {
    expect(await send(name, body, sign(body))).toMatch(accepted)
    expect(await send(name, body, sign(body))).toMatch(accepted)
  })
})
`,
  }),
})
