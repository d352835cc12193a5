import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda'
import { receive } from './webhooks.ts'

/** For a function URL, an HTTP API and a REST API. */
export async function handler(
  event: APIGatewayProxyEvent | APIGatewayProxyEventV2,
): Promise<{ statusCode: number; body: string }> {
  const method = 'httpMethod' in event ? event.httpMethod : event.requestContext.http.method
  if (method !== 'POST') return { statusCode: 405, body: '' }
  // The bytes as received: API Gateway encodes those that it does not take for text.
  const rawBody = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  // The names of headers are in lower case, except those of a REST API.
  const signature = Object.entries(event.headers).find(
    ([name]) => name.toLowerCase() === 'x-service-signature',
  )
  return { statusCode: await receive(rawBody, signature?.[1]), body: '' }
}
