import type { ApiRequest } from '#contract/api.ts'
import type { Masker } from '../records/masker.ts'
import { maskHeaders, maskQuery, maskSecretFields } from '../records/secret-fields.ts'

/** The request as the user wrote it, to be stored: what is a secret in it is a marker, which is filled in again where it is known. */
export function maskRequest(request: ApiRequest, masker: Masker): ApiRequest {
  return {
    integrationId: request.integrationId,
    tokenId: request.tokenId,
    method: request.method,
    path: maskQuery(masker, request.path),
    query: request.query.map(({ name, value, on }) => ({
      name: masker.mask(name),
      value: parameterOf(masker, name, value),
      on,
    })),
    headers: request.headers.map(({ name, value, on }) => {
      const [masked] = maskHeaders(masker, [[name.trim(), value]])
      return { name: masker.mask(name), value: masked?.[1] ?? '', on }
    }),
    body: maskSecretFields(masker, request.body),
  }
}

/** The value of a parameter, judged by its name as it would be in an address. */
function parameterOf(masker: Masker, name: string, value: string): string {
  const written = `?${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const masked = maskQuery(masker, written)
  if (masked === written) return masker.mask(value)
  return decodeURIComponent(masked.slice(masked.indexOf('=') + 1))
}
