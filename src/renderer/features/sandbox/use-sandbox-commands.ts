import { eventTypes } from '#catalogue/catalogue.ts'
import type { SandboxState } from '#contract/models.ts'
import { counted } from '../../ui/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import type { Bindings } from '../../platform/command-registry.ts'
import { say } from '../../platform/toasts.ts'
import { useSandbox } from '../../state/sandbox.ts'
import { withSecret } from './with-secret.ts'

/** What the sandbox can do, from any page. */
export function useSandboxCommands(): Bindings {
  const client = useClient()
  const running = useSandbox((state) => state.sandbox.running)
  const endpoint = useEndpoints((state) => state.endpoints[0])
  const chosen = useSandbox((state) => state.endpointId)
  const rate = useSandbox((state) => state.rate)
  const through = useSandbox((state) => state.through)
  const endpointId = chosen ?? endpoint?.id
  return {
    ...(endpointId !== undefined && {
      samples: () =>
        void withSecret(endpointId, () =>
          client.call('sandbox.send', { endpointId, types, through }),
        ).then(({ sent }) => say('valid', `${counted(sent, 'sample', 'samples')} sent.`), refused),
      ...(!running && {
        'evening-start': () =>
          void withSecret(endpointId, () =>
            client.call('sandbox.evening', { endpointId, rate, through }),
          ).then(take, refused),
      }),
    }),
    ...(running && {
      'evening-stop': () => void client.call('sandbox.stop', {}).then(take, refused),
    }),
  }
}

const types = eventTypes.map(({ type }) => type)

function take(sandbox: SandboxState): void {
  useSandbox.setState({ sandbox })
}

function refused(error: unknown): void {
  say('invalid', sentence(error))
}
