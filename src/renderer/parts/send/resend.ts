import type { CallInput, CallOutput } from '#contract/calls.ts'
import type { Attempt } from '#contract/sending.ts'
import type { Client } from '#client/client.ts'
import { addressOf } from '#client/addresses/compose.ts'
import { filterAddress, listAddress } from '#client/addresses/deliveries.ts'
import { rehearseAddress } from '#client/addresses/rehearse.ts'
import { shownScope, scoped, type Scope, useLog } from '#client/state/scope.ts'
import { openDelivery, useDeliveries } from '#client/state/deliveries.ts'
import { useShell } from '#client/state/app.ts'
import { toastError, toast } from '#kit/toasts.ts'
import { withConfirmation } from './ConfirmTarget.tsx'
import { findTarget, type Resendable } from './target-suggestions.ts'
import { hasSucceeded, resultSentence } from './labels.ts'
import { create } from 'zustand'
import { useQuery, useRefresh } from '#client/use-client.ts'

interface Sending {
  /** The key to cancel it with. */
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

interface AttemptsState {
  readonly sending: ReadonlyMap<number, Sending>
  /** The delivery in the re-send dialog; null if closed. */
  readonly dialogFor: number | null
}

export const useAttemptsStore = create<AttemptsState>(() => ({
  sending: new Map(),
  dialogFor: null,
}))

export function setSending(deliveryId: number, sending: Sending | null): void {
  useAttemptsStore.setState((state) => {
    const next = new Map(state.sending)
    if (sending === null) next.delete(deliveryId)
    else next.set(deliveryId, sending)
    return { sending: next }
  })
}

/** The selected attempt; null for the newest of the open delivery. Kept per scope. */
export const useSelectedAttempt = scoped<{ readonly selectedId: number | null }>(() => ({
  selectedId: null,
}))

export function selectAttempt(selectedId: number | null, scope: Scope = shownScope()): void {
  useSelectedAttempt.of(scope).setState({ selectedId })
}

export function askWhereTo(dialogFor: number | null): void {
  useAttemptsStore.setState({ dialogFor })
}

/** How many attempts are listed. The maximum that the contract allows. */
const limit = 500
const refreshEvery = 500
/** A skipped forward changes the delivery without creating an attempt. */
const pushes = ['attempts.made', 'deliveries.changed'] as const

/** The newest attempts of a delivery or draft, newest first. */
export type AttemptsListed = CallOutput<'attempts.list'>

export type AttemptsSource = ReturnType<typeof useAttempts>

/** The attempts of a delivery or draft, kept up to date. */
export function useAttempts(of: { readonly deliveryId?: number; readonly draftId?: number }) {
  const log = useLog()
  const { state, reload } = useQuery('attempts.list', { log, ...of, limit })
  useRefresh(log, pushes, refreshEvery, reload)
  return { state, reload }
}

/** Re-sends a delivery to an address and shows the result as a notification. */
export async function resend(
  client: Client,
  request: CallInput<'deliveries.resend'> & { readonly url: string },
): Promise<void> {
  const { id } = request
  // Ignore repeated key events while a request is running.
  if (useAttemptsStore.getState().sending.has(id)) return
  const key = crypto.randomUUID()
  setSending(id, { key, since: Date.now() })
  try {
    const attempt = await withConfirmation(client, () =>
      client.call('deliveries.resend', { ...request, key }),
    )
    if (attempt !== null) notifyResult(attempt)
  } catch (error) {
    toastError(error)
  }
  setSending(id, null)
}

/** Stops waiting for the response. The request may have been sent already. */
export function cancelResend(client: Client, id: number): void {
  const sending = useAttemptsStore.getState().sending.get(id)
  if (!sending) return
  client.call('attempts.cancel', { key: sending.key }).catch(toastError)
}

export function notifyResult(attempt: Attempt): void {
  const { selectedId } = useDeliveries.of(null).getState()
  if (attempt.deliveryId === selectedId) selectAttempt(null, null)
  const { deliveryId } = attempt
  const tone = hasSucceeded(attempt) ? 'valid' : 'invalid'
  const action =
    deliveryId === null || isShown(deliveryId)
      ? null
      : { label: 'Show', run: () => showAttempt(deliveryId, attempt.id) }
  toast(tone, resultSentence(attempt), { action, about: `resend ${deliveryId}` })
}

function isShown(deliveryId: number | null): boolean {
  const { open, selectedId, tab } = useDeliveries.of(null).getState()
  const here = useShell.getState().tab === filterAddress('') && shownScope() === null
  return here && open && selectedId === deliveryId && tab === 'attempts'
}

/** Opens an attempt in the details of its delivery, from any page. */
export function showAttempt(deliveryId: number, attemptId: number | null): void {
  const live = useDeliveries.of(null)
  openDelivery(deliveryId, null)
  live.setState({ tab: 'attempts' })
  selectAttempt(attemptId, null)
  if (useShell.getState().tab === filterAddress('') && shownScope() === null) return
  location.assign(listAddress(null))
}

/** Opens the form that rehearses the handler of a delivery: its last target, otherwise its forward target. */
export async function rehearseHandler(client: Client, delivery: Resendable): Promise<void> {
  try {
    const target = await findTarget(client, delivery)
    location.assign(rehearseAddress(target, delivery.endpointId))
  } catch (error) {
    toastError(error)
  }
}

export function rehearseSelected(client: Client): void {
  const { selectedId, rows } = useDeliveries.of(null).getState()
  const delivery = selectedId === null ? undefined : rows.byId.get(selectedId)
  if (delivery) void rehearseHandler(client, delivery)
}

const findingTarget = new Set<number>()

/** Re-sends a delivery to its last address or its forward target. Opens the dialog if there is neither. */
export async function resendOrAsk(client: Client, delivery: Resendable): Promise<void> {
  const { id } = delivery
  if (findingTarget.has(id) || useAttemptsStore.getState().sending.has(id)) return
  findingTarget.add(id)
  try {
    const url = await findTarget(client, delivery)
    if (url === null) askWhereTo(id)
    else void resend(client, { id, url })
  } catch (error) {
    toastError(error)
  }
  findingTarget.delete(id)
}

export async function resendSelected(client: Client): Promise<void> {
  const { selectedId } = useDeliveries.getState()
  if (selectedId === null || findingTarget.has(selectedId)) return
  try {
    await resendOrAsk(client, await client.call('deliveries.get', { id: selectedId, log: null }))
  } catch (error) {
    toastError(error)
  }
}

export function editAndSend(id: number | null): void {
  if (id !== null) location.assign(addressOf({ kind: 'delivery', id, log: shownScope() }))
}
