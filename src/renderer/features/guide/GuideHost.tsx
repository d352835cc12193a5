import { lazy, Suspense } from 'react'
import { useClient } from '../../platform/use-client.ts'
import { useSettings } from '../../state/settings.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useCan, useShell } from '../../state/app.ts'
import { openGuide } from './commands.ts'

const Guide = lazy(async () => ({ default: (await import('./GuideSteps.tsx')).Guide }))

/** Registers the command that opens the guide, and shows the guide while it is open. The guide is loaded on demand, because most users see it once. */
export function GuideHost() {
  const client = useClient()
  const editable = useCan('editing')
  const ready = useShell((state) => state.ready)
  const open = useSettings(({ settings }) => (settings?.guideAt ?? null) !== null)
  useKeys(editable && ready ? { guide: () => openGuide(client) } : {})
  return (
    open && (
      <Suspense fallback={null}>
        <Guide />
      </Suspense>
    )
  )
}
