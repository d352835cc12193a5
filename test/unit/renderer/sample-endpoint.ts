import type { Endpoint, SecretView } from '#contract/models.ts'

export const noSecret: SecretView = { set: false, ending: null, unavailable: false }
export const someSecret: SecretView = { set: true, ending: '6789', unavailable: false }

/** An endpoint with a current secret. */
export function sampleEndpoint(
  id: number,
  name: string,
  changes: Partial<Endpoint> = {},
): Endpoint {
  return {
    id,
    integrationId: 1,
    name,
    slug: name.toLowerCase(),
    secret: someSecret,
    previousSecret: noSecret,
    applicationId: '',
    customHeaders: [],
    ...changes,
  }
}
