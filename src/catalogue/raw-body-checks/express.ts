import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeChecks } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'express',
  label: 'Express',
  language: 'JavaScript',
  fileName: 'server.mjs',
  note: 'express.json() parses the body and discards the bytes. Use express.raw() on this route, before any app.use(express.json()).',
  code: (brand) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'

${nodeChecks}

const app = express()

const limit = 10 * 1024 * 1024

// express.raw() reads a body that is too large to its end before it responds.
const limitBody = (req, res, next) =>
  Number(req.get('Content-Length')) > limit ? res.sendStatus(413) : next()

// The bytes as received, for any content type, without decoding.
const raw = express.raw({ type: () => true, inflate: false, limit })

app.post('/webhooks', limitBody, raw, (req, res) => {
  const rawBody = Buffer.isBuffer(req.body) ? req.body : '' // Undefined if the body is empty.
  if (!isAuthentic(rawBody, req.get('${headerName(brand, 'signature')}'))) {
    return res.sendStatus(401)
  }
  const event = parseEvent(rawBody)
  if (!event) return res.sendStatus(400)
  res.sendStatus(204) // Respond first, then process the event.
  processEvent(event)
})

// Express responds with a stack trace otherwise. It knows an error handler by its four parameters.
app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.sendStatus(error.status ?? 500)
})

app.listen(3000)
`,
})
