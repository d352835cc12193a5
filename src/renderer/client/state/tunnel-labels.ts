import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import { escapeControls } from '#kit/text/visible.ts'

export type TunnelTone = 'valid' | 'warning' | 'invalid' | 'unsigned' | 'info'

interface StateLabel {
  /** Lower case, for use within a sentence. */
  readonly word: string
  /** The color of the icon and the word. */
  readonly tone: TunnelTone
}

interface ActionLabels {
  /** The button in the bar; null if no action is needed. */
  readonly bar: 'open' | 'retry' | null
  /** The label of the button for `tunnel.check`, which connects or runs a self-probe; null while the tunnel is off. */
  readonly check: 'Retry' | 'Check now' | null
}

export const tunnelStateLabels = {
  off: { word: 'off', tone: 'unsigned', bar: 'open', check: null },
  opening: { word: 'opening', tone: 'info', bar: null, check: 'Retry' },
  online: { word: 'online', tone: 'valid', bar: null, check: 'Check now' },
  degraded: { word: 'degraded', tone: 'warning', bar: null, check: 'Check now' },
  offline: { word: 'offline', tone: 'invalid', bar: 'retry', check: 'Retry' },
  reconnecting: { word: 'reconnecting', tone: 'warning', bar: null, check: 'Retry' },
} as const satisfies Record<TunnelStateName, StateLabel & ActionLabels>

/** The label while the page is not connected to Tabscope. */
export const unknownState = { word: 'unknown', tone: 'unsigned' } as const satisfies StateLabel

export const notConnected = 'Not connected to Tabscope, so the tunnel state is unknown.'

/** `Online` */
export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** The host of a public URL: `pier9.loca.lt`. */
export function hostOf(url: string): string {
  return escapeControls(URL.parse(url)?.host || url)
}

/** The webhook URL to paste on the service's dashboard. `origin` has no trailing slash. */
export function publicUrl(origin: string, slug: string): string {
  return `${origin}/hooks/${slug}`
}

export function barAction({ state }: Pick<TunnelView, 'state'>): ActionLabels['bar'] {
  return tunnelStateLabels[state].bar
}

export function checkLabel({ state }: Pick<TunnelView, 'state'>): ActionLabels['check'] {
  return tunnelStateLabels[state].check
}
