import type { GuideAt, Settings } from '#contract/models.ts'
import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { chooseIntegration, useAuthorization } from '../../state/authorization.ts'
import { useSettings } from '../../state/settings.ts'
import { runCommand } from '../../platform/command-registry.ts'
import { modKey } from '../../platform/keys.ts'
import { useShell } from '../../state/app.ts'
import { say } from '../../platform/toasts.ts'
import { stepOf, steps, type GuidePath } from './paths.ts'

type GuideSettings = Pick<Settings, 'guide' | 'guideAt'>

/** The first step of a way, on its page. */
export function beginGuide(client: Client, way: GuidePath): void {
  const after = useShell.getState().stats.newestId
  store(client, { guide: 'open', guideAt: { way, step: 0, after } })
  if (way === 'sandbox') return showStep(way, 0)
  const own = useAuthorization.getState().integrations.findLast(({ kind }) => kind === 'service')
  if (own) {
    chooseIntegration(own.id)
    showStep(way, 0)
  } else {
    // The setup page would show the sandbox's settings: there is no other integration yet.
    runCommand('integration-new')
  }
}

/** Another step of the way, on its page; behind the last one its end. */
export function goToStep(client: Client, at: GuideAt, step: number): void {
  store(client, { guide: 'open', guideAt: { ...at, step } })
  if (at.way !== null) showStep(at.way, step)
}

/** Asks which way, from wherever the user is: what the command does, whether the guide was skipped or not. */
export function openGuide(client: Client): void {
  const after = useShell.getState().stats.newestId
  store(client, { guide: 'open', guideAt: { way: null, step: 0, after } })
}

/** Puts it away for good, and says where it is found. */
export function skipGuide(client: Client): void {
  store(client, { guide: 'skipped', guideAt: null })
  say(
    'valid',
    `Guide closed. To open it again, press ${modKey} K and find “Open the guided start”.`,
    {
      about: 'guide',
    },
  )
}

/** It was gone through. */
export function finishGuide(client: Client): void {
  store(client, { guide: 'done', guideAt: null })
}

function showStep(way: GuidePath, step: number): void {
  const name = stepOf(way, step)
  if (name !== null) location.assign(steps[name].address)
}

/** At once, and again with the push: who presses "Next" sees the next step in the same frame. */
function store(client: Client, change: GuideSettings): void {
  useSettings.setState(({ settings }) => ({ settings: settings && { ...settings, ...change } }))
  client
    .call('settings.update', change)
    .catch((error: unknown) => say('invalid', sentence(error), { about: 'guide' }))
}
