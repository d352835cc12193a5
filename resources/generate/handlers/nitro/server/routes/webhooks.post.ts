import { defineEventHandler, getHeader, readRawBody, setResponseStatus } from 'h3'
import { receive } from '../utils/webhooks.ts'

const limit = 10 * 1024 * 1024

export default defineEventHandler(async (event) => {
  let status: number = 413
  if (!(Number(getHeader(event, 'Content-Length')) > limit)) {
    // `false`: bytes instead of text. Undefined if the body is empty.
    const rawBody = Buffer.from((await readRawBody(event, false)) ?? '')
    // In chunks, it has no Content-Length.
    if (rawBody.length <= limit) status = receive(rawBody, getHeader(event, 'X-Service-Signature'))
  }
  setResponseStatus(event, status)
  return ''
})
