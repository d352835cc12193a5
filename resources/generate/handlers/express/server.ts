import express, { type ErrorRequestHandler } from 'express'
import { receive } from './webhooks.ts'

const app = express()
const limit = 10 * 1024 * 1024

app.post('/webhooks', (req, res, next) => {
  // express.raw() reads a body that is too large to its end before it responds.
  if (Number(req.get('Content-Length')) > limit) res.sendStatus(413)
  else next()
})

// The bytes as received, for any content type, without decoding.
const raw = express.raw({ type: () => true, inflate: false, limit })

app.post('/webhooks', raw, (req, res) => {
  const rawBody = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0) // Undefined if the body is empty.
  res.sendStatus(receive(rawBody, req.get('X-Service-Signature')))
})

// Express responds with a stack trace otherwise. It knows an error handler by its four parameters.
const handleError: ErrorRequestHandler = (error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.sendStatus(error.status ?? 500)
}
app.use(handleError)

const port = Number(process.env.PORT ?? 3000)
app.listen(port, () => console.log(`Listening on http://127.0.0.1:${port}/webhooks`))
