#!/usr/bin/env bash
# Hono 4.13.19: once a handler or a middleware has called `c.req.json()`, `c.req.arrayBuffer()` does not return the received bytes, but those of the
# decoded text: without a byte order mark, and with U+FFFD for bytes that are not UTF-8. A signature over them fails.
. "$(dirname "$0")/common.sh"
npm_packages hono@4.13.19
cat >main.mjs <<'JS'
import { Hono } from 'hono'
const app = new Hono()
app.post('/first', async (c) => c.text(Buffer.from(await c.req.arrayBuffer()).toString('hex')))
app.post('/after', async (c) => {
  await c.req.json()
  return c.text(Buffer.from(await c.req.arrayBuffer()).toString('hex'))
})
const body = Buffer.from('\ufeff{}')
for (const path of ['/first', '/after']) {
  const response = await app.request(path, { method: 'POST', body })
  console.log(path, await response.text())
}
JS
expect '/first efbbbf7b7d /after 7b7d' "$(node main.mjs | paste -sd' ')"
