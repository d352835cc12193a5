import { STATUS_CODES } from 'node:http'
import type { Header } from '#contract/models.ts'
import type { ServiceProbe } from '#contract/integrations.ts'
import { formatDuration, quoteForeign } from '#shared/text/format.ts'
import { HttpFailure, type HttpResponse } from '../../platform/http/http.ts'
import type { Network } from '../../platform/http/network.ts'
import { sendRequest } from '../../platform/http/request.ts'
import { decodeResponse } from '../../platform/http/decode-response.ts'
import { underBase } from './authorize-url.ts'
import { quote, readServiceError, type Mask } from './refusal.ts'

const timeout = 5000
const maxBytes = 16 * 1024

/**
 * Requests the authorization page without its parameters, so that the service learns neither the integration nor a state, and reads whether it answers.
 * Follows no redirects. Resolves with the fault, and rejects only if `signal` aborts. Throws if the base URL is invalid.
 *
 * @param mask masks secrets in what the response is quoted with
 */
export async function probeService(
  baseUrl: string,
  mask: Mask,
  network: Network,
  signal?: AbortSignal,
): Promise<ServiceProbe> {
  const url = underBase(baseUrl, '/manager/oauth')
  const requested = `GET ${url.href}`
  try {
    const headers: Header[] = [['Accept', 'text/html, application/json']]
    const body = null
    const request = { method: 'GET', url, headers, body, timeout, maxBytes, signal }
    const response = await sendRequest(request, network)
    return { requested, ...(await judge(response, mask)) }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    signal?.throwIfAborted()
    return {
      requested,
      outcome: 'unreachable',
      message: `${error.message} The authorization page cannot be loaded from there.`,
    }
  }
}

async function judge(response: HttpResponse, mask: Mask): Promise<Omit<ServiceProbe, 'requested'>> {
  const { status, timings } = response
  const { statusText } = response
  const isStandard = statusText === '' || statusText === STATUS_CODES[status]
  const phrase = isStandard ? statusText : quoteForeign(mask(statusText).slice(0, 60))
  const statusLine = `${status} ${phrase}`.trim()
  const quoted = await quoteOf(response, mask)
  if (status >= 500) {
    return {
      outcome: 'error',
      message: `The service fails: the authorization page responded with ${statusLine}${quoted} The page that the user opens probably fails too.`,
    }
  }
  if (status === 404 || status === 410) {
    return {
      outcome: 'error',
      message: `There is probably no authorization page at this base URL: it responded with ${statusLine}${quoted} Compare the base URL with the dashboard.`,
    }
  }
  return {
    outcome: 'answers',
    message: `The service responded with ${statusLine} in ${formatDuration(timings.totalMs)}.`,
  }
}

async function quoteOf({ body, headers }: HttpResponse, mask: Mask): Promise<string> {
  const decoded = await decodeResponse(body, headers)
  const text = Buffer.from(decoded.state === 'decoded' ? decoded.bytes : body).toString()
  const error = readServiceError(text, mask)
  const words = error?.description ?? error?.code ?? (/^[{[<]/.test(text) ? '' : quote(text, mask))
  return words === '' ? '.' : `: ${quoteForeign(words)}.`
}
