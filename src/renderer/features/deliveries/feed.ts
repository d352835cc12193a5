import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import { oncePerFrame } from '../../platform/limit-calls.ts'
import { listedIntegration, useAuthorization } from '../../state/authorization.ts'
import { showStats, useShell } from '../../state/app.ts'
import { Pages, noteKnown } from './feed/pages.ts'
import { usesVerdict, usesAnnotations } from '../../state/filter.ts'
import { onShownScope, shownScope } from '../../state/scope.ts'
import { type DeliveriesState, isLive, queryOf, useDeliveries } from '../../state/deliveries.ts'
import { CallError, messageOf } from '#renderer/platform/call-error.ts'

/** The live list, whichever one is shown. */
const live = useDeliveries.of(null)
/** Minimum milliseconds between two requests. */
const minInterval = 200
const batchSize = 1000
/** Maximum rows held back while the list is scrolled down. With more, the list reloads when the user returns to the top. */
const maxHeld = 5000

interface FollowOptions {
  /** Whether new rows may be added to the list immediately. */
function isListLive(): boolean {
  return isLive(live.getState())
}

function isFiltering(): boolean {
  return queryOf(live.getState()) !== ''
}

function followIntegration(): void {
  const integrationId = listedIntegration(useAuthorization.getState())
  if (integrationId !== live.getState().integrationId) live.setState({ integrationId })
}

export interface Visibility {
  visible(): boolean
  onChange(listener: () => void): void
}

export function documentVisibility(document: Document): Visibility {
  return {
    visible: () => document.visibilityState === 'visible',
    onChange: (listener) => document.addEventListener('visibilitychange', listener),
  }
}
