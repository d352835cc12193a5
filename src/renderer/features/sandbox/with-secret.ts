import { useEndpoints } from '../../state/endpoints.ts'
import { say } from '../../platform/toasts.ts'

function hasSecret(endpointId: number): boolean {
  const { endpoints } = useEndpoints.getState()
  return endpoints.find(({ id }) => id === endpointId)?.secret.set === true
}

/** Sends from the sandbox, and reports when that created the secret of the endpoint. */
export async function withSecret<T>(endpointId: number, send: () => Promise<T>): Promise<T> {
  const before = hasSecret(endpointId)
  const result = await send()
  if (!before && hasSecret(endpointId)) {
    say(
      'valid',
      'The endpoint had no secret. A random one was created, so deliveries are signed.',
      {
        action: { label: 'Show the secret', run: () => location.assign('#/endpoints') },
        about: 'sandbox-secret',
      },
    )
  }
  return result
}
