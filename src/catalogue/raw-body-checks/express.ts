import { headerName } from '../headers.ts'
import { defineRawBodyCheck, nodeIsAuthentic } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'express',
  label: 'Express',
  language: 'JavaScript',
  fileName: 'server.mjs',
  note: 'express.json() parses the body and throws the bytes away. express.raw() on this route hands them over; it must come before any app.use(express.json()).',
  code: (brand) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET.')

${nodeIsAuthentic}

const app = express()

// Whatever its type, and not decoded: the bytes as they came.
const raw = express.raw({ type: () => true, inflate: false, limit: '10mb' })

app.post('/webhooks', raw, (req, res) => {
  const rawBody = Buffer.isBuffer(req.body) ? req.body : '' // None when it is empty.
  if (!isAuthentic(rawBody, req.get('${headerName(brand, 'signature')}'))) {
    return res.sendStatus(401)
  }
  const event = JSON.parse(rawBody)
  res.sendStatus(204) // Answer first, then work.
  console.log(event.type)
})

app.listen(3000)
`,
})
