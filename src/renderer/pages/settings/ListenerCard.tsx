import type { Settings } from '#contract/models.ts'
import { Button } from '#kit/Button.tsx'
import { Note } from '#kit/Note.tsx'
import { CallError } from '#client/client.ts'
import { messageOf, useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useShell } from '#client/state/app.ts'
import { toast } from '#kit/toasts.ts'
import * as checks from '#kit/field-checks.ts'
import { Setting, SettingsCard, settingText } from './Setting.tsx'
import { StoredField } from '#kit/StoredField.tsx'

const mib = 1024 * 1024

export function ListenerCard({ settings }: { settings: Settings }) {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const restart = useAction(async (to?: number) => {
    const state = await client.call('listener.start', to === undefined ? {} : { port: to })
    if (state.state === 'listening') toast('valid', `Listening on ${state.origin}.`)
  })
  const portText = settingText('port')
  const limitText = settingText('body-limit')
  const port = settings.listenerPort
  const portDiffers = listener.state === 'listening' && port !== 0 && listener.port !== port

  return (
    <SettingsCard title="Listener" note="Where deliveries are received, on this machine only.">
      <Setting name="port">
        <StoredField
          {...portText}
          stored={String(port)}
          check={(text) => checks.wholeNumber(text, 0, 65535)}
          store={async (text) => {
            await client.call('settings.update', { listenerPort: checks.numberOf(text) })
          }}
          numeric
          after={
            <Button busy={restart.busy} onClick={() => restart.start()}>
              Restart listener
            </Button>
          }
        />
        {portDiffers && (
          <Note tone="info">
            Still listening on port {listener.port}. Restart the listener to use port {port}.
          </Note>
        )}
        {listener.state === 'failed' && (
          <Note tone="invalid" alert>
            {listener.message} <UsePort port={listener.freePort} restart={restart} />
          </Note>
        )}
        {restart.error !== null && (
          <Note tone="invalid" alert>
            {messageOf(restart.error)}{' '}
            <UsePort port={freePortOf(restart.error)} restart={restart} />
          </Note>
        )}
      </Setting>
      <Setting name="body-limit">
        <StoredField
          {...limitText}
          stored={formatNumber(settings.bodyLimit / mib)}
          check={(text) => checks.anyNumber(text, 0.001, 1024)}
          store={async (text) => {
            await client.call('settings.update', {
              bodyLimit: Math.round(checks.numberOf(text) * mib),
            })
          }}
          numeric
          after={<span className="flex-none text-dim">MiB</span>}
        />
      </Setting>
    </SettingsCard>
  )
}

function formatNumber(value: number): string {
  return String(Number(value.toFixed(3)))
}

interface UsePortProps {
  port: number | null
  restart: { readonly busy: boolean; readonly start: (port: number) => void }
}

function UsePort({ port, restart }: UsePortProps) {
  if (port === null) return null
  return (
    <Button busy={restart.busy} onClick={() => restart.start(port)}>
      Use port {port}
    </Button>
  )
}

function freePortOf(error: unknown): number | null {
  const port = error instanceof CallError ? error.details?.['freePort'] : null
  return typeof port === 'number' ? port : null
}
