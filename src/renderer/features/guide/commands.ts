import type { GuideAt, Settings } from '#contract/models.ts'
import { messageOf } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { selectIntegration, useAuthorization } from '../../state/authorization.ts'
import { useSettings } from '../../state/settings.ts'
import { runCommand } from '../../platform/command-registry.ts'
import { modKey } from '../../platform/keys.ts'
import { useShell } from '../../state/app.ts'
import { toast } from '../../platform/toasts.ts'
import { stepOf, steps, type GuidePath } from './paths.ts'

type GuideSettings = Pick<Settings, 'guide' | 'guideAt'>

/** Starts the guide and opens the page of the first step. */
export function beginGuide(client: Client, path: GuidePath): void {
  const after = useShell.getState().stats.newestId
  store(client, { guide: 'open', guideAt: { path, step: 0, after } })
  if (path === 'sandbox') return showStep(path, 0)
  const own = useAuthorization.getState().integrations.findLast(({ kind }) => kind === 'service')
  if (own) {
    selectIntegration(own.id)
    showStep(path, 0)
  } else {
    // The setup page would show the sandbox's settings: there is no other integration yet.
    runCommand('integration-new')
  }
}

/** Opens a step and its page. The number of steps as `step` opens the end of the guide. */
export function goToStep(client: Client, at: GuideAt, step: number): void {
  store(client, { guide: 'open', guideAt: { ...at, step } })
  if (at.path !== null) showStep(at.path, step)
}

/** Opens the guide at its start, where the user chooses a path. Works on every page, also after the guide was skipped. */
export function openGuide(client: Client): void {
  const after = useShell.getState().stats.newestId
  store(client, { guide: 'open', guideAt: { path: null, step: 0, after } })
}

/** Closes the guide permanently, and shows how to open it again. */
export function skipGuide(client: Client): void {
  store(client, { guide: 'skipped', guideAt: null })
  toast(
    'valid',
    `Guide closed. To open it again, press ${modKey} K and search for “Open the guided start”.`,
    {
      about: 'guide',
    },
  )
}

/** Marks the guide as completed and closes it. */
export function finishGuide(client: Client): void {
  store(client, { guide: 'done', guideAt: null })
}

function showStep(path: GuidePath, step: number): void {
  const name = stepOf(path, step)
  if (name !== null) location.assign(steps[name].address)
}

/** Updates the store immediately and again with the push, so that "Next" shows the next step in the same frame. */
function store(client: Client, change: GuideSettings): void {
  useSettings.setState(({ settings }) => ({ settings: settings && { ...settings, ...change } }))
  client
    .call('settings.update', change)
    .catch((error: unknown) => toast('invalid', messageOf(error), { about: 'guide' }))
}
