import { lazy, Suspense, useState } from 'react'
import type { CauseCode } from '#catalogue/cause-titles.ts'
import type { Integration } from '#contract/integrations.ts'
import type { Cause, Endpoint } from '#contract/models.ts'
import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useAuthorization } from '#client/state/authorization.ts'
import { openDelivery, useDeliveries } from '#client/state/deliveries.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { changeSecret, recheckAfter } from '#client/state/recheck-signatures.ts'
import { Button } from '#kit/Button.tsx'

const SecretDialog = lazy(async () => ({
  default: (await import('#parts/endpoints/SecretDialog.tsx')).SecretDialog,
}))

/** The sender used a text that can be stored as the secret. The engine finds it; it is not shown here. */
const correctable: readonly string[] = [
  'secret.other_endpoint',
  'secret.line_break',
  'secret.white_space',
  'secret.quotes',
  'secret.prefix',
  'secret.encoded',
  'secret.percent',
  'secret.upper_case',
  'secret.lower_case',
  'secret.printed',
  'secret.bom',
  'secret.escape',
  'secret.invisible',
  'secret.name',
  'secret.cut',
  'secret.expanded',
  'secret.html',
  'secret.normalized',
  'secret.part',
] satisfies CauseCode[]

/** Whether there is a button for it, if the endpoint exists. */
export function isFixable({ code, values = {} }: Cause): boolean {
  const others = ['handler.serialized', 'secret.none', 'secret.unavailable']
  return [...correctable, ...others].includes(code) || brandOf({ code, values }) !== null
}

interface Target {
  readonly cause: Cause
  readonly endpointId: number | null
  /** One that has the cause. */
  readonly deliveryId: number
}

interface Fix {
  readonly label: string
  /** Opens the dialog for the secret of the endpoint if it returns true. */
  readonly run: (client: Client) => Promise<boolean> | boolean
}

/** What Tabscope can do about a cause; null: nothing. */
function fixOf(
  { cause, deliveryId }: Target,
  endpoint: Endpoint | undefined,
  integration: Integration | undefined,
): Fix | null {
  const { code } = cause
  if (code === 'handler.serialized') {
    return {
      label: 'Show the correct check',
      run: () => {
        openDelivery(deliveryId, null)
        useDeliveries.of(null).setState({ tab: 'signature' })
        return false
      },
    }
  }
  if (!endpoint) return null
  const { id } = endpoint
  if (correctable.includes(code)) {
    return {
      label: 'Use the corrected secret',
      run: async (client) => {
        const change = () => client.call('endpoints.correctSecret', { id, deliveryId })
        await changeSecret(client, change, 'Secret corrected.')
        return false
      },
    }
  }
  switch (code) {
    case 'secret.none':
    case 'secret.unavailable':
      return { label: 'Set the secret', run: () => true }
    case 'header.other_name':
    case 'header.missing': {
      const brand = brandOf(cause)
      if (brand === null || integration === undefined || brand === integration.brand) return null
      return {
        label: `Use ${brand}`,
        run: async (client) => {
          await setBrand(client, integration, brand)
          return false
        },
      }
    }
    default:
      return null
  }
}

function brandOf({ code, values = {} }: Pick<Cause, 'code' | 'values'>): string | null {
  if (code !== 'header.other_name' && code !== 'header.missing') return null
  const names = values[code === 'header.missing' ? 'others' : 'header'] ?? ''
  return /(?:^|, )X-([A-Za-z][A-Za-z0-9]{0,39})-Signature(?:,|$)/i.exec(names)?.[1] ?? null
}

async function setBrand(
  client: Client,
  { id, brand: before }: Integration,
  brand: string,
): Promise<void> {
  await client.call('integrations.update', { id, brand })
  void recheckAfter(client, {
    filter: `integration:${id}`,
    done: `The brand is ${brand}.`,
    undo: async () => {
      const { integrations } = useAuthorization.getState()
      if (integrations.find((each) => each.id === id)?.brand !== brand) {
        throw new Error('The brand was changed again since, so nothing was undone.')
      }
      await client.call('integrations.update', { id, brand: before })
    },
  })
}

interface Props extends Target {
  kind?: 'plain' | 'primary'
  small?: boolean
}

/** The button that removes a cause, with Undo for what it changes. Renders nothing for a cause that only the user can remove. */
export function FixButton({ kind = 'plain', small = false, ...target }: Props) {
  const client = useClient()
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ id }) => id === target.endpointId),
  )
  const integration = useAuthorization(({ integrations }) =>
    integrations.find(({ id }) => id === endpoint?.integrationId),
  )
  const [entering, setEntering] = useState(false)
  const fix = fixOf(target, endpoint, integration)
  const { start, busy } = useAction(async () => {
    try {
      setEntering((await fix?.run(client)) ?? false)
    } catch (error) {
      toastError(error)
    }
  })
  if (!fix) return null
  return (
    <>
      <Button kind={kind} small={small} busy={busy} onClick={() => start()}>
        {fix.label}
      </Button>
      {entering && endpoint && (
        <Suspense>
          <SecretDialog endpoint={endpoint} onClose={() => setEntering(false)} />
        </Suspense>
      )}
    </>
  )
}
