import { isUtf8 } from 'node:buffer'
import type { LogRehearsalCase, LogRehearsalRequest } from '#contract/event-log.ts'
import type { RehearsalRequest } from '#contract/rehearsal.ts'
import { asBuffer } from './text.ts'
import type { RehearsalCaseItem } from '../items.ts'

type SmallBody = LogRehearsalRequest['request']['body']

export function* caseLines({
  rehearsal,
  result,
  requests,
}: RehearsalCaseItem): Generator<LogRehearsalCase | LogRehearsalRequest, void, undefined> {
  yield { kind: 'rehearsal_case', rehearsal, result }
  for (const request of requests) {
    const body = writeBody(request.body)
    const responseBody = writeBody(request.responseBody)
    yield { kind: 'rehearsal_request', rehearsal, request: { ...request, body, responseBody } }
  }
}

export function requestOf({ request }: LogRehearsalRequest): RehearsalRequest {
  const { body, responseBody } = request
  return { ...request, body: readBody(body), responseBody: readBody(responseBody) }
}

function writeBody(bytes: Uint8Array): SmallBody {
  const body = asBuffer(bytes)
  return isUtf8(body) ? { text: body.toString('utf8') } : { base64: body.toString('base64') }
}

function readBody(body: SmallBody): Uint8Array {
  return 'text' in body ? Buffer.from(body.text, 'utf8') : Buffer.from(body.base64, 'base64')
}
