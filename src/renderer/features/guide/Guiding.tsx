import { lazy, Suspense } from 'react'
import { useClient } from '../../platform/use-client.ts'
import { useSettings } from '../../state/settings.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { useCan, useShell } from '../../state/app.ts'
import { openGuide } from './commands.ts'

const Guide = lazy(async () => {
  const { Guide: strip } = await import('./Guide.tsx')
  return { default: strip }
})

/** The guided start, while it goes on, and its command. Most see it once: it is loaded when it is wanted. */
export function Guiding() {
  const client = useClient()
  const there = useCan('editing')
  const ready = useShell((state) => state.ready)
  const guiding = useSettings(({ settings }) => (settings?.guideAt ?? null) !== null)
  useKeys(there && ready ? { guide: () => openGuide(client) } : {})
  return (
    guiding && (
      <Suspense fallback={null}>
        <Guide />
      </Suspense>
    )
  )
}
