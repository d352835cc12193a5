// Calls the handler as a function URL does, to test it on this machine.
import { isUtf8 } from 'node:buffer'
import { createServer, type IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { handler } from './handler.ts'

const limit = 6 * 1024 * 1024

async function respond(request: IncomingMessage): Promise<{ statusCode: number; body: string }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > limit) return { statusCode: 413, body: '' }
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const isText = isUtf8(body)
  const event = {
    headers: request.headers,
    requestContext: { http: { method: request.method } },
    body: body.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: !isText,
  }
  // What else a function URL sends is not read.
  return handler(event as unknown as APIGatewayProxyEventV2)
}

const server = createServer((request, response) => {
  respond(request).then(
    ({ statusCode, body }) => response.writeHead(statusCode).end(body),
    (error) => {
      console.error(error)
      response.writeHead(500).end()
    },
  )
})

const port = Number(process.env.PORT ?? 3000)
server.listen(port, () => console.log(`Listening on http://127.0.0.1:${port}/webhooks`))
